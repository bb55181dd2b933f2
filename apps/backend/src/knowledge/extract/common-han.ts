/**
 * Characters that running Chinese text is mostly made of, everyday and technical, simplified first and then the
 * traditional forms of the commonest. They tell Chinese in GB18030 from other encodings that happen to decode as
 * GB18030: real text takes well over half of its Han characters from here, mojibake about a tenth.
 */
const everyday =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事' +
  '成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此' +
  '已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代' +
  '内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安' +
  '少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光' +
  '放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔' +
  '造百费华联单服请积极住快变早节思八九六七元吃钱朋友爱妈爸孩喜欢谢您吗吧呢啊哪怎每'
const technical =
  '库接码错误处检查重启监器序池限步骤层息示标签需配置参默认值改增删除修复络网络址端口线执状态异警级复备份恢盘存储缓' +
  '集群节点版本支持功能模块户请求响超过滤输析源代码编写读索引键字段列语句类型返错失败成功停止始终结束按键询检索试验证加密码' +
  '权限角色创建更新添加移移动载访问连断开任务调度队消息推送日志录监视控诊断故障排察应急预案根响影级联系客例如注意若果' +
  '须尽否该仅选择项择况根据描述说明操命令参考册文档章介绍境环装卸部署依赖升降迁容量扩缩压测速率延迟慢查询优化内核驱动磁'
const traditional =
  '這個們來為國說時會過發後對學還進動業開將長從實關點機問間頭產體應無電話報數處當種樣裡經於與後現給讓書見記語請認' +
  '設計網資訊檔統連線錯誤啟節環個務員題類東車門馬氣萬億買賣寫讀聽專導師樂習應變'

const commonHan: ReadonlySet<string> = new Set(everyday + technical + traditional)

/** Han characters of a text, and how many of them are common ones. */
export function countHan(text: string): { readonly han: number; readonly common: number } {
  let han = 0
  let common = 0
  for (const [character] of text.matchAll(/\p{Script=Han}/gu)) {
    han++
    if (commonHan.has(character)) common++
  }
  return { han, common }
}
