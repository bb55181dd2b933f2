import type { Message, MessageEvent, Source, ToolUse } from '@oncall-agent/api-contracts'

/** The answer before its first word. */
export function beginningOf(conversationId: string, messageId: string, question: Message): Message {
  return {
    id: messageId,
    conversationId,
    position: question.position + 1,
    role: 'assistant',
    status: 'streaming',
    content: '',
    mode: 'agent',
    retrieval: 'none',
    sources: [],
    tools: [],
    removedMarkers: 0,
    failure: null,
    verdicts: { answer: null, citations: {} },
    createdAt: question.createdAt,
    finishedAt: null
  }
}

/**
 * The answer after an event of it.
 * @returns null when something before this event was missed: only the stored message knows what
 */
export function afterEvent(answer: Message, event: MessageEvent): Message | null {
  switch (event.type) {
    case 'message.started':
      return answer
    case 'message.delta': {
      // Behind a gap nothing can be put in its place.
      if (event.offset > answer.content.length) return null
      return { ...answer, content: answer.content.slice(0, event.offset) + event.text }
    }
    case 'tool.started':
    case 'tool.waiting':
    case 'tool.finished':
      return { ...answer, tools: withCall(answer.tools, event.call) }
    case 'reference.source':
      return { ...answer, sources: withSource(answer.sources, event.source) }
    case 'message.completed':
      return keepVerdicts(event.message, answer)
    case 'error':
      return event.stored === null ? brokenOff(answer, event) : keepVerdicts(event.stored, answer)
  }
}

/** A replay says again what was said: a call stays where it is, and one that ended does not begin again. */
function withCall(calls: readonly ToolUse[], call: ToolUse): readonly ToolUse[] {
  const known = calls.find(({ callId }) => callId === call.callId)
  if (known === undefined) return [...calls, call]
  const isOver = known.status !== 'running' && known.status !== 'waiting'
  if (isOver && (call.status === 'running' || call.status === 'waiting')) return calls
  return calls.map((each) => (each.callId === call.callId ? call : each))
}

function withSource(sources: readonly Source[], source: Source): readonly Source[] {
  const others = sources.filter(({ marker }) => marker !== source.marker)
  return [...others, source].toSorted((a, b) => a.marker - b.marker)
}

/** A verdict given while the answer was being written is not in what was stored before it. */
function keepVerdicts(stored: Message, { verdicts }: Message): Message {
  const answer = stored.verdicts.answer ?? verdicts.answer
  return { ...stored, verdicts: { answer, citations: { ...verdicts.citations, ...stored.verdicts.citations } } }
}

function brokenOff(answer: Message, { code, message }: Extract<MessageEvent, { type: 'error' }>): Message {
  const status = answer.content === '' ? 'failed' : 'partial'
  return { ...answer, status, failure: { code, message } }
}
