export const knowledge = {
  title: '知识库',
  lead: '回答所依据的运维手册与笔记。',
  base: '知识库',
  create: '新建知识库',
  none: '还没有知识库。先新建一个，再把运维手册拖进去。',
  pages: '知识库翻页',
  documents: '{count} 个文档',
  changed: '更新于',
  folder: '目录',
  folderHint: '由服务器上的“oncall index”从目录写入；此处只能查看，不能修改。',
  shared: '共享给我',
  sharedHint: '由所有者共享；可以阅读和检索，不能修改。',
  own: '我的',
  name: '名称',
  description: '说明（可选）',
  nameTaken: '您已有同名的知识库。',
  rename: '重命名',
  saved: '已保存。',
  deleteTitle: '删除“{name}”？',
  deleteText: '其中的 {count} 个文档会一并删除，之后再也无法检索到。此操作不可撤销。',
  deleted: '“{name}”已删除。',
  parts: '知识库的各部分',
  tabs: { documents: '文档', tasks: '任务历史', readers: '读者' }
}

export const reader = {
  lead: '可以阅读和检索此知识库的人，他们不能修改内容。',
  username: '用户名',
  add: '授予阅读权限',
  added: '{name} 现在可以阅读。',
  removed: '{name} 已不能阅读。',
  unknown: '没有叫这个名字的用户。',
  none: '尚未共享给任何人。',
  since: '授权于',
  remove: '移除',
  removeNamed: '移除 {name}',
  pages: '读者翻页'
}

export const upload = {
  title: '添加文档',
  drop: '将文件或文件夹拖到此处',
  chooseFiles: '选择文件',
  chooseFolder: '选择文件夹',
  formats: 'Markdown、纯文本、PDF、HTML、DOCX',
  indexAtOnce: '立即建立索引，以便检索',
  attributes: '本次添加的所有文件的属性',
  attributesHint: '此处填写的内容优先于文档自带的元数据。多个错误码用逗号分隔。',
  detect: '同时提取正文中出现的错误码',
  nothing: '所选内容中没有文件。',
  unreadable: '浏览器无法读取拖入的内容，未发送任何文件。',
  added: '已添加 {count} 个文件',
  summary: '已接收 {taken} 个，被拒绝 {refused} 个，剩余 {open} 个',
  clear: '清空列表',
  more: '还有 {count} 个文件',
  states: { waiting: '等待中', sending: '上传中', taken: '已接收', refused: '被拒绝' },
  progressOf: '{name} 的上传进度',
  duplicate: '此知识库中已有内容完全相同的文档。',
  openExisting: '打开该文档',
  reasons: {
    empty: '该文件是空的。',
    wrongExtension: '文件内容与扩展名不符。请改用正确的扩展名，或另存为所需格式后再上传。',
    encrypted: '该文件受密码保护。请去除密码后重新上传。'
  }
}
