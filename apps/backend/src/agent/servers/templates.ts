import type { McpTemplate } from '@oncall-agent/api-contracts'

/** Ready-made entries. Each is only a proposal: what is stored is what a person sends. */
export const mcpTemplates: readonly McpTemplate[] = [
  {
    id: 'tencent-cls',
    name: 'cls',
    title: { zh: '腾讯云日志服务（CLS）', en: 'Tencent Cloud Log Service (CLS)' },
    description: {
      zh: '检索和分析日志主题。需要一对访问密钥，建议使用只读的子账号；服务器上需有 npx。',
      en: 'Searches and analyses log topics. Takes an access key, best of a sub-account that only reads; the server needs npx.'
    },
    connection: { transport: 'stdio', command: 'npx', args: ['-y', 'cls-mcp-server'], env: {} },
    secretNames: ['TENCENTCLOUD_SECRET_ID', 'TENCENTCLOUD_SECRET_KEY'],
    valueNames: { TENCENTCLOUD_REGION: 'ap-guangzhou' }
  },
  {
    id: 'http',
    name: 'tools',
    title: { zh: '网络上的工具服务器', en: 'A tool server at an address' },
    description: {
      zh: '通过 Streamable HTTP 访问的 MCP 服务器。凭据作为保密的请求头填写。',
      en: 'An MCP server that is reached over streamable HTTP. Its credentials are entered as a secret header.'
    },
    connection: { transport: 'http', url: 'https://tools.example.com/mcp', headers: {} },
    secretNames: ['Authorization'],
    valueNames: {}
  },
  {
    id: 'stdio',
    name: 'program',
    title: { zh: '本机上的程序', en: 'A program of this machine' },
    description: {
      zh: '由服务器启动、通过标准输入输出通信的 MCP 服务器；仅限管理员。',
      en: 'An MCP server that runs on this machine and is spoken to over its standard input and output; administrators only.'
    },
    connection: { transport: 'stdio', command: 'uvx', args: ['name-of-the-server'], env: {} },
    secretNames: [],
    valueNames: {}
  }
]
