import type { AnswerStep } from '../../store/index.ts'

/**
 * How far somebody has been told of an answer. An id counts what was told: 1 for `message.started`, 1 for each UTF-16
 * unit of text, 1 for each other event. Text and steps have one order, which is stored, so that an id says the same in
 * every process, and grows.
 */
export interface EventCursor {
  /** Whether `message.started` was told. */
  readonly started: boolean
  /** UTF-16 units of text that were told. */
  readonly text: number
  /** Steps that were told. */
  readonly steps: number
}

/** Of the last event of every message: greater than any other, so that it may be known without counting. */
export const LAST_EVENT_ID = 999_999_999

export const NOTHING_TOLD: EventCursor = { started: false, text: 0, steps: 0 }

export function eventIdOf({ started, text, steps }: EventCursor): number {
  return (started ? 1 : 0) + text + steps
}

/** What had been told when the event with that id was sent. An id beyond all of it means: everything. */
export function cursorOf(eventId: number, content: string, steps: readonly AnswerStep[]): EventCursor {
  if (eventId === 0) return NOTHING_TOLD
  let left = eventId - 1
  let text = 0
  for (const [index, { at }] of steps.entries()) {
    const before = Math.max(0, Math.min(at, content.length) - text)
    if (left <= before) return { started: true, text: text + left, steps: index }
    text += before
    left -= before + 1
  }
  return { started: true, text: Math.min(content.length, text + left), steps: steps.length }
}
