import type { ToolCall } from '@oncall-agent/api-contracts'
import { found, type MockHandlers, MockRefusal, type MockRequest, pageOf } from './mock-request.ts'

/** Other people's calls are an administrator's to see; for everybody else they do not exist. */
const isSeen = ({ state }: MockRequest, { userId }: ToolCall): boolean =>
  userId === state.me?.id || state.me?.role === 'admin'

export const auditHandlers: MockHandlers = {
  toolCalls: (request) => {
    const { state, query } = request
    const isEverybody = query.get('whose') === 'everybody'
    if (isEverybody && state.me?.role !== 'admin') throw new MockRefusal('AUTH_FORBIDDEN')
    const filters = {
      tool: query.get('tool'),
      status: query.get('status'),
      conversationId: query.get('conversationId')
    }
    const calls = state.calls
      .filter(({ userId }) => isEverybody || userId === state.me?.id)
      .filter((call) =>
        Object.entries(filters).every(([name, value]) => value === null || call[name as 'tool'] === value)
      )
    return pageOf(calls, query)
  },
  toolCall: (request) => ({
    body: found(request.state.calls.find((call) => call.id === request.params.id && isSeen(request, call)))
  })
}
