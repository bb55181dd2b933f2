import type { Failure, Message, RetrievalResponse, Source, ToolUse } from '@oncall-agent/api-contracts'

/** One thing that happens while an answer is written. */
export interface Step {
  /** Milliseconds before it; the mock's pace when absent. */
  readonly wait?: number
  readonly text?: string
  readonly start?: ToolUse
  /** A call that waits for a person. */
  readonly ask?: ToolUse
  readonly finish?: ToolUse
  readonly source?: Source
  /** What else is different of the stored answer. */
  readonly change?: Partial<Message>
  /** Ends the answer as an error. */
  readonly fail?: Failure
}

const nothingSaid = { answer: null, citations: {} } as const

export function question(id: string, conversationId: string, position: number, content: string): Message {
  const now = Date.now()
  return {
    id,
    conversationId,
    position,
    role: 'user',
    status: 'completed',
    content,
    mode: 'agent',
    retrieval: 'none',
    sources: [],
    tools: [],
    removedMarkers: 0,
    failure: null,
    verdicts: nothingSaid,
    createdAt: now,
    finishedAt: now
  }
}

export function emptyAnswer(id: string, { conversationId, position, createdAt }: Message): Message {
  const answer = question(id, conversationId, position + 1, '')
  return { ...answer, role: 'assistant', status: 'streaming', createdAt, finishedAt: null }
}

/** The answer after a step. */
export function answerOf(message: Message, { text = '', start, ask, finish, source, change }: Step): Message {
  const call = start ?? ask ?? finish
  const known = message.tools.some(({ callId }) => callId === call?.callId)
  const tools =
    call === undefined
      ? message.tools
      : known
        ? message.tools.map((each) => (each.callId === call.callId ? call : each))
        : [...message.tools, call]
  const sources = source === undefined ? message.sources : [...message.sources, source]
  return { ...message, content: message.content + text, tools, sources, ...change }
}

export function toolUse(callId: string, tool: string, given: unknown): ToolUse {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return { callId, tool, arguments: text, status: 'running', tookMs: null, failure: null, found: null }
}

/** Sources of a call, numbered on from `first`, as the tool's citations are in order. */
export function sourcesOf(
  citations: RetrievalResponse['citations'],
  call: { readonly callId: string; readonly runId: string; readonly first: number; readonly cited: readonly number[] }
): readonly Source[] {
  return citations.map((citation, index) => ({
    ...citation,
    marker: call.first + index,
    runId: call.runId,
    callId: call.callId,
    cited: call.cited.includes(call.first + index)
  }))
}
