import type { MessageEvent, ToolUse } from '@oncall-agent/api-contracts'
import type { AnswerProgress, AnswerStep } from '../../store/index.ts'
import { whole } from './answer-log.ts'
import { type EventCursor, eventIdOf } from './event-cursor.ts'

/** An event with the id that `Last-Event-ID` takes. */
export interface NumberedEvent {
  readonly id: number
  readonly event: MessageEvent
}

interface EventsAfter {
  readonly events: readonly NumberedEvent[]
  readonly cursor: EventCursor
}

/** UTF-16 units of one piece of text: whoever takes up a long answer over a slow line sees that it comes. */
const PIECE_UNITS = 16_384

/** What came behind the cursor, text between two steps in as few pieces as may be, and where that leads to. */
export function eventsAfter(messageId: string, progress: AnswerProgress, from: EventCursor): EventsAfter {
  const { content, steps } = progress
  const events: NumberedEvent[] = []
  let cursor = from
  const tellText = (end: number): void => {
    const to = Math.min(end, content.length)
    while (cursor.text < to) {
      const text = whole(content.slice(cursor.text, Math.min(to, cursor.text + PIECE_UNITS)))
      const event = { type: 'message.delta' as const, messageId, offset: cursor.text, text }
      cursor = { ...cursor, text: cursor.text + text.length }
      events.push({ id: eventIdOf(cursor), event })
    }
  }
  for (const step of steps.slice(cursor.steps)) {
    tellText(step.at)
    cursor = { ...cursor, steps: cursor.steps + 1 }
    const event = eventOf(messageId, step, progress)
    if (event !== undefined) events.push({ id: eventIdOf(cursor), event })
  }
  tellText(content.length)
  return { events, cursor }
}

function eventOf(messageId: string, step: AnswerStep, { sources, tools }: AnswerProgress): MessageEvent | undefined {
  if (step.type === 'source') {
    const source = sources.find(({ marker }) => marker === step.marker)
    return source === undefined ? undefined : { type: 'reference.source', messageId, source }
  }
  const call = tools.find(({ callId }) => callId === step.callId)
  return call === undefined ? undefined : { type: step.type, messageId, call: asItWas(call, step.type) }
}

/** A call is stored as it is now; what is told of its beginning is what it was then. */
function asItWas(call: ToolUse, type: 'tool.started' | 'tool.waiting' | 'tool.finished'): ToolUse {
  if (type === 'tool.finished') return call
  const open = { tookMs: null, failure: null, found: null }
  return { ...call, ...open, status: type === 'tool.started' ? 'running' : 'waiting' }
}
