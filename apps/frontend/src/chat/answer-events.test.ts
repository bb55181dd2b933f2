import type { Message, MessageEvent, Source, ToolUse } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { question, sourcesOf, toolUse } from '../../dev/sample-chat.ts'
import { sampleRun } from '../../dev/sample-run.ts'
import { afterEvent, beginningOf } from './answer-events.ts'

const asked = question('q1', 'c1', 4, 'why?')
const empty = beginningOf('c1', 'm1', asked)
const delta = (offset: number, text: string): MessageEvent => ({
  type: 'message.delta',
  messageId: 'm1',
  offset,
  text
})
const call: ToolUse = toolUse('call-1', 'knowledge_retrieval', { query: 'x' })
const [first, second] = sourcesOf(sampleRun('r', { query: 'x', topK: 2 }).answer.citations, {
  callId: 'call-1',
  runId: 'r',
  first: 1,
  cited: [1]
}) as [Source, Source]

const source = (each: Source): MessageEvent => ({ type: 'reference.source', messageId: 'm1', source: each })

function after(events: readonly MessageEvent[], from: Message = empty): Message {
  return events.reduce<Message>((answer, event) => afterEvent(answer, event)!, from)
}

describe('an answer', () => {
  test('begins behind its question, and grows by what is said', () => {
    const answer = after([delta(0, '先重启'), delta(3, ' gateway')])
    expect([answer.position, answer.status, answer.content]).toEqual([5, 'streaming', '先重启 gateway'])
  })

  test('an offset counts UTF-16 units, and what lies behind it gives way', () => {
    expect(after([delta(0, 'a🙂b [9]'), delta(4, '!')]).content).toBe('a🙂b!')
    expect(after([delta(0, 'abc'), delta(0, 'x')]).content).toBe('x')
  })

  test('a replay of everything gives the same again', () => {
    const events: MessageEvent[] = [
      { type: 'message.started', conversationId: 'c1', messageId: 'm1', question: asked },
      { type: 'tool.started', messageId: 'm1', call },
      { type: 'tool.finished', messageId: 'm1', call: { ...call, status: 'ok', found: 2, tookMs: 3 } },
      { type: 'reference.source', messageId: 'm1', source: first },
      { type: 'reference.source', messageId: 'm1', source: second },
      delta(0, 'a [1]'),
      delta(5, ' b')
    ]
    const once = after(events)
    expect(after(events, once)).toEqual(once)
    expect(once.sources.map(({ marker }) => marker)).toEqual([1, 2])
  })

  test('a call that is over does not begin again while its start is replayed', () => {
    const over = after([{ type: 'tool.finished', messageId: 'm1', call: { ...call, status: 'failed' } }])
    expect(after([{ type: 'tool.started', messageId: 'm1', call }], over).tools[0]?.status).toBe('failed')
  })

  test('sources that come out of order stand in the order of their markers', () => {
    expect(after([source(second), source(first), source(second)]).sources.map(({ marker }) => marker)).toEqual([1, 2])
  })

  test('behind a gap nothing is guessed', () => {
    expect(afterEvent(empty, delta(1, 'x'))).toBeNull()
  })

  test('what was stored wins over all that was said', () => {
    const stored: Message = { ...empty, status: 'completed', content: 'the truth', removedMarkers: 1, finishedAt: 1 }
    const answer = after([delta(0, 'draft [8]'), { type: 'message.completed', message: stored }])
    expect(answer).toEqual(stored)
  })

  test('but a verdict that was given meanwhile is kept', () => {
    const judged: Message = { ...empty, verdicts: { answer: 'up', citations: { a: 'down' } } }
    const stored: Message = { ...empty, status: 'completed', content: 'x' }
    expect(after([{ type: 'message.completed', message: stored }], judged).verdicts).toEqual({
      answer: 'up',
      citations: { a: 'down' }
    })
  })

  test.each([
    ['written', 'partial'],
    ['', 'failed']
  ] as const)('that ends in an error after %j is %s, with its reason', (text, status) => {
    const fault = { code: 'SYSTEM_UNAVAILABLE', message: 'The model died.' } as const
    const error: MessageEvent = { type: 'error', messageId: 'm1', ...fault, requestId: 'r', stored: null }
    const answer = after([delta(0, text), error])
    expect([answer.status, answer.content, answer.failure]).toEqual([status, text, fault])
  })

  test('that ends in an error is what was stored of it, where that could be read', () => {
    const stored: Message = { ...empty, status: 'partial', content: 'kept' }
    const error: MessageEvent = {
      type: 'error',
      messageId: 'm1',
      code: 'CANCELLED',
      message: '',
      requestId: 'r',
      stored
    }
    expect(after([delta(0, 'kept and more'), error]).content).toBe('kept')
  })
})
