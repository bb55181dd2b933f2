import { createApiClient, type MessageEvent } from '@oncall-agent/api-contracts'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerMock } from './mock-api.ts'
import { mockState, type MockState } from './mock-state.ts'

let state: MockState
const api = createApiClient({
  baseUrl: 'http://mock.test',
  fetch: async (input, init) => (await answerMock(state, new Request(input, init)))!
})
beforeEach(() => {
  state = mockState('in')
  state.chat.pace = 0
})

async function asked(content: string) {
  const { id } = await api.createConversation({ body: {} })
  const events: { readonly id: string; readonly event: MessageEvent }[] = []
  for await (const each of await api.sendMessage({ params: { id }, body: { content } })) {
    events.push(each)
    if (each.event.type === 'tool.waiting') {
      const { messageId, call } = each.event
      await api.decideToolCall({ params: { id, messageId, callId: call.callId }, body: { approved: true } })
    }
  }
  return { id, events, types: new Set(events.map(({ event }) => event.type)) }
}

describe('the mock chats as the contracts say', () => {
  test('every type of event is said by one of its scripts, each with an id that grows', async () => {
    const all = new Set<string>()
    for (const word of ['approve', 'one', 'partial', 'dead']) {
      const { events, types } = await asked(word)
      for (const type of types) all.add(type)
      expect(events.map(({ id }) => Number(id))).toEqual(events.map((_event, index) => index + 1))
      expect(events[0]?.event.type).toBe('message.started')
      expect(events.at(-1)?.event.type).toMatch(/^(message\.completed|error)$/)
    }
    expect([...all].toSorted()).toEqual([
      'error',
      'message.completed',
      'message.delta',
      'message.started',
      'reference.source',
      'tool.finished',
      'tool.started',
      'tool.waiting'
    ])
  })

  test('what the deltas say is what is stored', async () => {
    const { id, events } = await asked('table')
    let text = ''
    for (const { event } of events) if (event.type === 'message.delta') text = text.slice(0, event.offset) + event.text
    const { items } = await api.messages({ params: { id } })
    expect([items.length, items[1]?.content, items[1]?.status]).toEqual([2, text, 'completed'])
    expect((await api.conversation({ params: { id } })).messages).toBe(2)
  })

  test('a stream goes on behind an event, and one that broke has all of it still', async () => {
    state.chat.breakAfter = 3
    const { id, events } = await asked('one')
    expect(events).toHaveLength(3)
    const messageId = (await api.messages({ params: { id } })).items[1]!.id
    const rest: string[] = []
    for await (const each of await api.messageEvents({ params: { id, messageId }, lastEventId: '3' }))
      rest.push(each.id)
    expect(rest[0]).toBe('4')
  })

  test('one answer at a time, and a call is decided once', async () => {
    const { id } = await api.createConversation({ body: {} })
    const stream = await api.sendMessage({ params: { id }, body: { content: 'approve' } })
    await expect(api.sendMessage({ params: { id }, body: { content: 'x' } })).rejects.toMatchObject({
      code: 'CONFLICT'
    })
    for await (const { event } of stream) {
      if (event.type !== 'tool.waiting') continue
      const input = { params: { id, messageId: event.messageId, callId: event.call.callId }, body: { approved: false } }
      await api.decideToolCall(input)
      await expect(api.decideToolCall(input)).rejects.toMatchObject({ code: 'CONFLICT' })
    }
  })

  test('an answer that is stopped keeps what is written', async () => {
    state.chat.pace = 1
    const { id } = await api.createConversation({ body: {} })
    const stream = await api.sendMessage({ params: { id }, body: { content: 'long' } })
    for await (const { event } of stream) {
      if (event.type === 'message.delta') await api.stopMessage({ params: { id, messageId: event.messageId } })
    }
    const [, stored] = (await api.messages({ params: { id } })).items
    expect([stored?.status, stored?.failure?.code, stored?.content === '']).toEqual(['partial', 'CANCELLED', false])
  })
})
