export const session = {
  signIn: '登录',
  signOut: '退出登录',
  signOutFailed: '退出失败，您仍处于登录状态。',
  username: '用户名',
  password: '密码',
  passwordAgain: '再次输入密码',
  passwordHint: '至少 {min} 个字符。',
  differs: '两次输入的密码不一致。',
  wrong: '用户名或密码错误。',
  expired: '会话已过期。重新登录后将回到刚才的页面。',
  unknown: '无法确认您的身份。',
  firstTitle: '创建首个账户',
  firstText: '目前还没有账户。首个账户将成为管理员，可以添加其他用户。',
  create: '创建账户'
}
