import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { asking, clientOf, eventsOf, gate, lastOf, restOf, textOf, typesOf } from '../test-material/chat-bench.ts'
import { answererOf, sourceOf, toolUse } from '../test-material/fake-answerer.ts'
import { administrator, serve, type Served, type ServeParts, type SignedInPerson } from '../test-material/served.ts'

let served: Served | undefined
let admin: SignedInPerson
afterEach(() => served?.close())

async function started(parts: ServeParts) {
  served = await serve(parts)
  admin = await administrator(served)
  return { ...served, api: await clientOf(served, admin) }
}

describe('an answer', () => {
  it('is told as it is written, with the tools and sources of the turn, and stored as it was told', async () => {
    const answerer = answererOf(async (_turn, tell) => {
      tell({ type: 'tool.started', call: toolUse('call-1') })
      tell({ type: 'tool.finished', call: toolUse('call-1', { status: 'ok', tookMs: 3, found: 2 }) })
      for (const marker of [1, 2]) tell({ type: 'source', source: sourceOf(marker) })
      for (const text of ['Defrag', 'ment', ' it [1].']) {
        tell({ type: 'delta', text })
        await delay(5)
      }
      return { removedMarkers: 1 }
    })
    const { api } = await started({ chat: { answerer } })
    const { first, stream, params } = await asking(api, 'etcd is full')
    expect(first).toMatchObject({
      id: '1',
      event: { question: { role: 'user', content: 'etcd is full', position: 0 } }
    })
    const rest = await restOf(stream)
    expect([...new Set(typesOf(rest))]).toEqual([
      'tool.started',
      'tool.finished',
      'reference.source',
      'message.delta',
      'message.completed'
    ])
    const ids = rest.map(({ id }) => Number(id))
    expect(ids).toEqual(ids.toSorted((left, right) => left - right))
    expect(textOf(rest)).toBe('Defragment it [1].')
    const message = await api.message({ params })
    expect(lastOf(rest)).toEqual({ type: 'message.completed', message })
    expect(message).toMatchObject({ status: 'completed', content: 'Defragment it [1].', removedMarkers: 1 })
    expect(message.sources.map(({ marker }) => marker)).toEqual([1, 2])
    expect(message.tools).toMatchObject([{ callId: 'call-1', status: 'ok', found: 2 }])
  })

  it('begins to be told before anything is done for it', async () => {
    const forever = gate()
    const { api } = await started({
      chat: { answerer: answererOf(async (_turn, _tell, signal) => forever.pass(signal)) }
    })
    const { messageId, params } = await asking(api, 'q')
    expect(await api.message({ params })).toMatchObject({ id: messageId, status: 'streaming', content: '' })
    forever.open()
  })

  it('tells pieces of one moment together', async () => {
    const answerer = answererOf(async (_turn, tell) => {
      for (let piece = 0; piece < 1_000; piece++) tell({ type: 'delta', text: 'x' })
    })
    const { api } = await started({ chat: { answerer } })
    const rest = await restOf((await asking(api, 'q')).stream)
    expect(typesOf(rest)).toEqual(['message.delta', 'message.completed'])
    expect(textOf(rest)).toHaveLength(1_000)
  })

  it('is written to its end when nobody listens any more', async () => {
    const open = gate()
    const answerer = answererOf(async (_turn, tell, signal) => {
      tell({ type: 'delta', text: 'before' })
      await open.pass(signal)
      tell({ type: 'delta', text: ' after' })
    })
    const { api } = await started({ chat: { answerer } })
    const { stream, params, leave } = await asking(api, 'q')
    await stream.next()
    leave()
    await delay(50)
    open.open()
    expect(lastOf(await eventsOf(api, params))).toMatchObject({ message: { content: 'before after' } })
  })

  it('is one at a time in a conversation, and as many at once as this server may write', async () => {
    const open = gate()
    const answerer = answererOf(async (_turn, _tell, signal) => open.pass(signal))
    const { api, postJson, store } = await started({ chat: { answerer, streams: 2 } })
    const { id, stream } = await asking(api, 'q')
    await expect(asking(api, 'again', id)).rejects.toMatchObject({ code: 'CONFLICT', status: 409 })
    const second = await asking(api, 'q')
    const third = await api.createConversation({ body: {} })
    const refused = await postJson(`/api/v1/conversations/${third.id}/messages`, { content: 'q' }, admin.session)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await store.messages.list(third.id, { limit: 9 })).total).toBe(0)
    open.open()
    await Promise.all([restOf(stream), restOf(second.stream)])
    expect(lastOf(await restOf((await asking(api, 'q', third.id)).stream))).toMatchObject({ type: 'message.completed' })
  })

  it('may read what was chosen of what its person may read, and nothing is stored where that is too much', async () => {
    let read: unknown
    const answerer = answererOf(async ({ caller }) => {
      read = caller
    })
    const { api, store } = await started({ chat: { answerer } })
    for (const id of ['one', 'two', 'foreign']) {
      const tenantId = id === 'foreign' ? 'somebody' : admin.userId
      await store.knowledgeBases.insert({ id, tenantId, name: id, description: '' }, Date.now())
    }
    const { id } = await api.createConversation({ body: {} })
    const send = async (knowledgeBaseIds?: readonly string[]) => {
      const body = { content: 'q', ...(knowledgeBaseIds === undefined ? {} : { knowledgeBaseIds }) }
      await restOf(await api.sendMessage({ params: { id }, body }))
    }
    for (const forbidden of [['foreign'], ['one', 'nothing']]) {
      await expect(send(forbidden)).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN', status: 403 })
    }
    expect((await api.messages({ params: { id } })).total).toBe(0)
    await send(['two'])
    const pair = (knowledgeBaseId: string) => ({ tenantId: admin.userId, knowledgeBaseId })
    expect(read).toEqual({ tenantId: admin.userId, userId: admin.userId, readable: [pair('two')] })
    await send([])
    expect(read).toMatchObject({ readable: [] })
    await send()
    expect(read).toMatchObject({ readable: expect.arrayContaining([pair('one'), pair('two')]) })
  })

  it('whose writer breaks is an error that says nothing of the fault, and what was written is kept', async () => {
    const answerer = answererOf(async (_turn, tell) => {
      tell({ type: 'tool.started', call: toolUse('call-1') })
      tell({ type: 'delta', text: 'half' })
      throw new Error('postgres://secret@host')
    })
    const { api, events } = await started({ chat: { answerer } })
    const { stream, params } = await asking(api, 'q')
    const last = lastOf(await restOf(stream))
    expect(last).toMatchObject({ type: 'error', code: 'INTERNAL', stored: { status: 'partial', content: 'half' } })
    expect(JSON.stringify(last)).not.toContain('secret')
    expect(await api.message({ params })).toMatchObject({ tools: [{ status: 'cancelled' }] })
    const requestId = last.type === 'error' ? last.requestId : ''
    expect(events().some((line) => line.msg === 'an answer failed')).toBe(true)
    expect(events().some((line) => line.requestId === requestId)).toBe(true)
  })

  it.each([
    ['partial', 'CANCELLED', 'message.completed'],
    ['partial', 'LIMIT_REACHED', 'message.completed'],
    ['failed', 'SYSTEM_UNAVAILABLE', 'error']
  ] as const)('that is %s by %s ends its stream with %s, then and later', async (status, code, type) => {
    const answerer = answererOf(async () => ({ status, failure: { code, message: 'why' } }))
    const { api } = await started({ chat: { answerer } })
    const { stream, params } = await asking(api, 'q')
    expect(lastOf(await restOf(stream))).toMatchObject({ type })
    expect(lastOf(await eventsOf(api, params))).toMatchObject({ type })
  })
})

describe('an answer that a person stops', () => {
  it('keeps what is written, tells so, and answers with it', async () => {
    const open = gate()
    const answerer = answererOf(async (_turn, tell, signal) => {
      tell({ type: 'delta', text: 'so far' })
      await open.pass(signal)
    })
    const { api } = await started({ chat: { answerer } })
    const { stream, params } = await asking(api, 'q')
    await stream.next()
    const stopped = await api.stopMessage({ params })
    expect(stopped).toMatchObject({ status: 'partial', content: 'so far', failure: { code: 'CANCELLED' } })
    expect(lastOf(await restOf(stream))).toMatchObject({ type: 'message.completed', message: { status: 'partial' } })
    expect(await api.stopMessage({ params })).toEqual(stopped)
  })

  it('ends also when the one who writes it does not let go', { timeout: 30_000 }, async () => {
    const { api } = await started({
      chat: {
        answerer: async (_turn, tell) => {
          tell({ type: 'delta', text: 'deaf' })
          return new Promise(() => undefined)
        }
      }
    })
    const { params, stream } = await asking(api, 'q')
    await stream.next()
    expect(await api.stopMessage({ params })).toMatchObject({ status: 'partial', content: 'deaf' })
  })

  it('is stopped by deleting its conversation', async () => {
    const ended = Promise.withResolvers<unknown>()
    const open = gate()
    const answerer = answererOf(async (_turn, _tell, signal) => open.pass(signal).catch(ended.resolve))
    const { api } = await started({ chat: { answerer } })
    const { id, stream } = await asking(api, 'q')
    await api.deleteConversation({ params: { id } })
    expect(await ended.promise).toMatchObject({ code: 'CANCELLED' })
    expect(lastOf(await restOf(stream))).toMatchObject({ type: 'error', code: 'NOT_FOUND', stored: null })
  })
})

describe('a call that waits for a person', () => {
  const answerer = answererOf(async ({ decide }, tell, signal) => {
    const call = toolUse('call-1', { tool: 'cls__delete', status: 'waiting' })
    tell({ type: 'tool.started', call })
    tell({ type: 'tool.waiting', call })
    const approved = await decide(call, signal)
    tell({ type: 'tool.finished', call: { ...call, status: approved ? 'ok' : 'refused', tookMs: 1 } })
    tell({ type: 'delta', text: approved ? 'done' : 'not done' })
  })
  it.each([
    [true, 'done'],
    [false, 'not done']
  ])('runs or not as they say: %s', async (approved, content) => {
    const { api, postJson } = await started({ chat: { answerer } })
    const { stream, params } = await asking(api, 'q')
    await untilWaiting(stream)
    expect((await postJson(decisionPath(params, 'call-2'), { approved }, admin.session)).status).toBe(404)
    expect((await postJson(decisionPath(params), { approved }, admin.session)).status).toBe(204)
    const last = lastOf(await restOf(stream))
    expect(last).toMatchObject({ message: { content } })
    expect((await postJson(decisionPath(params), { approved }, admin.session)).status).toBe(409)
  })

  it('does not run when nobody says anything in time, and no key can say so', async () => {
    const { api, postJson } = await started({ chat: { answerer, approvalMs: 300 } })
    const { stream, params } = await asking(api, 'q')
    await untilWaiting(stream)
    const key = await admin.key('retrieve', 'admin')
    expect((await postJson(decisionPath(params), { approved: true }, key)).status).toBe(403)
    expect(lastOf(await restOf(stream))).toMatchObject({ message: { content: 'not done' } })
  })
})

const decisionPath = (params: { id: string; messageId: string }, callId = 'call-1') =>
  `/api/v1/conversations/${params.id}/messages/${params.messageId}/calls/${callId}/decision`

async function untilWaiting(stream: AsyncGenerator<{ readonly event: { readonly type: string } }>): Promise<void> {
  for (;;) {
    const { value, done } = await stream.next()
    if (done === true) throw new Error('the stream ended before a call waited')
    if (value.event.type === 'tool.waiting') return
  }
}
