import type { ToolCall } from '@oncall-agent/api-contracts'

const MINUTE = 60_000
/** More than one page of calls. */
const CALLS = 130
const tools = [
  'knowledge_retrieval',
  'cls__SearchLog',
  'prometheus_query',
  'cls__DeleteTopic',
  'structured_search'
] as const
const failures = {
  ok: null,
  failed: { code: 'SYSTEM_UNAVAILABLE', message: 'The tool server did not answer within 30 s.' },
  refused: { code: 'AUTH_FORBIDDEN', message: 'A person did not allow this call.' },
  cancelled: { code: 'CANCELLED', message: 'It was stopped before it ended.' }
} as const satisfies Record<ToolCall['status'], ToolCall['failure']>

function statusOf(index: number): ToolCall['status'] {
  if (index % 5 === 3) return 'refused'
  if (index % 11 === 4) return 'failed'
  return index % 29 === 17 ? 'cancelled' : 'ok'
}

function argumentsOf(tool: string, index: number): string {
  if (index === 2) return `{"query":"up == 0","note":"${'x'.repeat(300)}… (cut: 16 KiB of 40 KiB)`
  if (tool === 'cls__SearchLog')
    return '{"TopicId":"topic-1","Query":"level:ERROR AND <script>alert(1)</script>","Token":"[hidden]"}'
  return JSON.stringify({ query: 'E_CONN_RESET 怎么恢复？', topK: 5, filters: { project: 'payments' } })
}

/** Calls of two people, newest first. */
export const sampleCalls: readonly ToolCall[] = Array.from({ length: CALLS }, (_each, index) => {
  const tool = tools[index % tools.length]!
  const status = statusOf(index)
  const isMine = index % 3 !== 2
  const isChat = index % 7 !== 6
  return {
    id: `call-${index}`,
    userId: isMine ? 'u-1' : 'u-2',
    // Somebody whose account is gone.
    username: isMine ? 'wang.wei' : index % 2 === 0 ? 'li.na' : null,
    origin: isChat ? 'chat' : index % 2 === 0 ? 'mcp' : 'diagnosis',
    conversationId: isChat ? `conversation-${index % 4}` : null,
    messageId: isChat ? `message-${index}` : null,
    serverId: tool.startsWith('cls') ? 'mcp-cls' : null,
    tool,
    arguments: argumentsOf(tool, index),
    status,
    failure: failures[status],
    resultSha256: status === 'ok' ? 'c4'.repeat(32) : null,
    resultBytes: status === 'ok' ? 900 + index * 317 : null,
    resultExcerpt:
      status === 'ok' ? '{"results":[{"title":"连接被重置 <b>","text":"先摘除异常节点，再重启 pay-gateway。"}]}' : '',
    startedAt: Date.now() - (index + 1) * 7 * MINUTE,
    tookMs: status === 'refused' ? 0.3 : 40 + index * 11
  }
})
