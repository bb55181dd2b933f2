import type { MessageEvent } from '@oncall-agent/api-contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TurnEvent } from '../answer/turn.ts'
import { AnswerLog } from './answer-log.ts'
import { cursorOf, LAST_EVENT_ID, NOTHING_TOLD } from './event-cursor.ts'
import { eventsAfter, type NumberedEvent } from './events-after.ts'

const call = (callId: string) => ({
  callId,
  tool: 't',
  arguments: '{}',
  status: 'ok' as const,
  tookMs: 1,
  failure: null,
  found: null
})
const source = (marker: number) =>
  ({ id: `c${marker}`, marker, callId: 'a', runId: null, cited: false }) as Extract<
    TurnEvent,
    { type: 'source' }
  >['source']

const delta = fc.string({ unit: 'grapheme', minLength: 1 }).map((text): TurnEvent => ({ type: 'delta', text }))
const halves = fc
  .constantFrom('🔥', '𠮷')
  .map((text): readonly TurnEvent[] => [...Array(2).keys()].map((at) => ({ type: 'delta', text: text[at]! })))
const tool = fc
  .tuple(fc.constantFrom('tool.started', 'tool.waiting', 'tool.finished'), fc.constantFrom('a', 'b'))
  .map(([type, callId]): TurnEvent => ({ type, call: call(callId) }))
/** A turn of any kind: text, characters that come in halves, sources with markers of their own, calls of tools. */
const turns = fc
  .array(
    fc.oneof(
      delta.map((each) => [each]),
      halves,
      tool.map((each) => [each]),
      fc.constant('source' as const)
    )
  )
  .map((parts) =>
    parts.flatMap((part, at): readonly TurnEvent[] =>
      part === 'source' ? [{ type: 'source', source: source(at + 1) }] : part
    )
  )

function logOf(events: readonly TurnEvent[]): AnswerLog {
  const log = new AnswerLog()
  for (const event of events) log.add(event)
  return log
}

function textOf(events: readonly NumberedEvent[], from = ''): string {
  return events.reduce(
    (text, { event }) => (event.type === 'message.delta' ? text.slice(0, event.offset) + event.text : text),
    from
  )
}

/** What was told besides text, in order. */
const stepsOf = (events: readonly NumberedEvent[]): readonly MessageEvent[] =>
  events.map(({ event }) => event).filter(({ type }) => type !== 'message.delta')

describe('the events of an answer', () => {
  it('are the same whenever they are told, with ids that grow and say where one stands', () => {
    fc.assert(
      fc.property(turns, fc.nat(), (all, at) => {
        const cut = all.length === 0 ? 0 : at % all.length
        const whole = eventsAfter('m', logOf(all).progress, { ...NOTHING_TOLD, started: true })
        const before = eventsAfter('m', logOf(all.slice(0, cut)).progress, { ...NOTHING_TOLD, started: true })
        const ids = whole.events.map(({ id }) => id)
        expect(ids).toEqual([...new Set(ids)].toSorted((left, right) => left - right))
        expect(Math.max(1, ...ids)).toBeLessThan(LAST_EVENT_ID)

        // Another process knows the id alone, and what is stored by then.
        const { content, steps } = logOf(all).progress
        const taken = cursorOf(before.events.at(-1)?.id ?? 1, content, steps)
        expect(taken).toEqual(before.cursor)
        const rest = eventsAfter('m', logOf(all).progress, taken)
        expect(textOf(rest.events, textOf(before.events))).toBe(content)
        expect([...stepsOf(before.events), ...stepsOf(rest.events)].map(({ type }) => type)).toEqual(
          stepsOf(whole.events).map(({ type }) => type)
        )
        expect(rest.cursor).toEqual(whole.cursor)
      })
    )
  })

  it('never hold half a character, wherever the text stood when they were told', () => {
    fc.assert(
      fc.property(turns, (all) => {
        const log = new AnswerLog()
        let cursor = { ...NOTHING_TOLD, started: true }
        for (const event of all) {
          log.add(event)
          const told = eventsAfter('m', log.progress, cursor)
          cursor = told.cursor
          for (const { event: each } of told.events) expect(JSON.stringify(each)).not.toMatch(/\\ud[89a-f]/i)
          expect(log.progress.content.isWellFormed()).toBe(true)
        }
      })
    )
  })

  it('tell a call as it was when it began and when it waited, also after its end', () => {
    const log = logOf([
      { type: 'tool.started', call: { ...call('a'), status: 'running', tookMs: null } },
      { type: 'tool.waiting', call: { ...call('a'), status: 'waiting', tookMs: null } },
      { type: 'tool.finished', call: call('a') }
    ])
    const { events } = eventsAfter('m', log.progress, { ...NOTHING_TOLD, started: true })
    expect(events.map(({ event }) => 'call' in event && [event.type, event.call.status, event.call.tookMs])).toEqual([
      ['tool.started', 'running', null],
      ['tool.waiting', 'waiting', null],
      ['tool.finished', 'ok', 1]
    ])
  })

  it('end with an id that is beyond all of them, and one beyond the answer means all of it', () => {
    const { content, steps } = logOf([{ type: 'delta', text: 'four' }]).progress
    for (const id of [5, 6, LAST_EVENT_ID]) {
      expect(cursorOf(id, content, steps)).toEqual({ started: true, text: 4, steps: 0 })
    }
    expect(cursorOf(0, content, steps)).toEqual(NOTHING_TOLD)
  })
})
