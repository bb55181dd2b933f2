import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '@oncall-agent/api-contracts'
import { asking, clientOf, eventsOf, lastOf, restOf } from '../test-material/chat-bench.ts'
import { answererOf, sourceOf } from '../test-material/fake-answerer.ts'
import { administrator, member, serve, type Served, type SignedInPerson } from '../test-material/served.ts'

/** Finds one piece of evidence, cites it, and says which earlier messages it was given. */
const answerer = answererOf(async ({ question, history }, tell) => {
  tell({ type: 'source', source: sourceOf(1) })
  tell({ type: 'delta', text: `${question} [1] after ${history.map(({ content }) => content).join(' | ')}` })
})

let served: Served
let admin: SignedInPerson
let ana: ApiClient
let bob: ApiClient
beforeAll(async () => {
  served = await serve({ chat: { answerer } })
  admin = await administrator(served)
  ana = await clientOf(served, admin)
  bob = await clientOf(served, await member(served))
})
afterAll(() => served.close())

const notFound = { code: 'NOT_FOUND', status: 404 }

async function said(api: ApiClient, content: string, id?: string) {
  const asked = await asking(api, content, id)
  await restOf(asked.stream)
  return asked
}

describe('conversations', () => {
  it('are named by their first message, and keep a name that was given', async () => {
    const { id } = await said(ana, `\n  \u202Eetcd ${'x'.repeat(200)}\nsecond line`)
    const { title, messages } = await ana.conversation({ params: { id } })
    expect([title, messages]).toEqual([`etcd ${'x'.repeat(75)}`, 2])
    const named = await ana.createConversation({ body: { title: '值班' } })
    await said(ana, 'another first message', named.id)
    expect((await ana.conversation({ params: { id: named.id } })).title).toBe('值班')
    await ana.changeConversation({ params: { id: named.id }, body: { title: 'night shift' } })
    expect((await ana.conversation({ params: { id: named.id } })).title).toBe('night shift')
  })

  it('are listed with the last changed first, in pages', async () => {
    const carol = await clientOf(served, await member(served, 'carol'))
    const made = []
    for (const title of ['a', 'b', 'c']) made.push(await carol.createConversation({ body: { title } }))
    await said(carol, 'q', made[0]!.id)
    const first = await carol.conversations({ query: { limit: 2 } })
    expect([first.total, first.items.map(({ title }) => title)]).toEqual([3, ['a', 'c']])
    const rest = await carol.conversations({ query: { limit: 2, cursor: first.nextCursor! } })
    expect([rest.nextCursor, rest.items.map(({ title }) => title)]).toEqual([null, ['b']])
  })

  it('list their messages oldest first, question and answer in turn, in pages', async () => {
    const { id } = await said(ana, 'one')
    await said(ana, 'two', id)
    const first = await ana.messages({ params: { id }, query: { limit: 3 } })
    const rest = await ana.messages({ params: { id }, query: { limit: 3, cursor: first.nextCursor! } })
    const all = [...first.items, ...rest.items]
    expect([first.total, rest.nextCursor]).toEqual([4, null])
    expect(all.map(({ position, role, status }) => [position, role, status])).toEqual([
      [0, 'user', 'completed'],
      [1, 'assistant', 'completed'],
      [2, 'user', 'completed'],
      [3, 'assistant', 'completed']
    ])
    expect(all[3]?.content).toBe('two [1] after one | one [1] after ')
  })

  it('answer 304 while nothing changed', async () => {
    const { id } = await ana.createConversation({ body: {} })
    const path = `/api/v1/conversations/${id}`
    const first = await served.ask(path, { headers: admin.session })
    const headers = { ...admin.session, 'if-none-match': String(first.headers.etag) }
    expect((await served.ask(path, { headers })).status).toBe(304)
    await said(ana, 'q', id)
    expect((await served.ask(path, { headers })).status).toBe(200)
  })
})

describe('conversations of another person', () => {
  it('do not exist, whatever is asked of them', async () => {
    const { id, params, messageId } = await said(ana, 'a secret')
    const own = await said(bob, 'mine')
    const attempts = [
      () => bob.conversation({ params: { id } }),
      () => bob.changeConversation({ params: { id }, body: { title: 'taken' } }),
      () => bob.deleteConversation({ params: { id } }),
      () => bob.messages({ params: { id } }),
      () => bob.sendMessage({ params: { id }, body: { content: 'q' } }),
      () => bob.message({ params }),
      () => bob.messageEvents({ params }),
      () => bob.stopMessage({ params }),
      () => bob.giveFeedback({ body: { messageId, verdict: 'up' } }),
      // The own conversation does not open another's message either.
      () => bob.message({ params: { id: own.id, messageId } }),
      () => bob.messageEvents({ params: { id: own.id, messageId } })
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(notFound)
    expect((await bob.conversations()).items.map((each) => each.id)).toEqual([own.id])
    expect(await ana.message({ params })).toMatchObject({ content: 'a secret [1] after ' })
  })
})

describe('a conversation that is deleted', () => {
  it('is gone with its messages and verdicts, and nobody else’s', async () => {
    const kept = await said(ana, 'kept')
    const { id, params, messageId } = await said(ana, 'q')
    await ana.giveFeedback({ body: { messageId, verdict: 'down' } })
    await ana.deleteConversation({ params: { id } })
    await expect(ana.message({ params })).rejects.toMatchObject(notFound)
    await expect(ana.deleteConversation({ params: { id } })).rejects.toMatchObject(notFound)
    await expect(ana.giveFeedback({ body: { messageId, verdict: 'up' } })).rejects.toMatchObject(notFound)
    expect(await ana.message({ params: kept.params })).toMatchObject({ status: 'completed' })
  })
})

describe('a verdict', () => {
  it('is of the answer or of one of its sources, and the last one counts', async () => {
    const { params, messageId } = await said(ana, 'q')
    const chunkId = sourceOf(1).id
    const given = await ana.giveFeedback({ body: { messageId, verdict: 'down', note: 'half of it' } })
    expect(given).toMatchObject({ messageId, chunkId: null, verdict: 'down', note: 'half of it' })
    await ana.giveFeedback({ body: { messageId, verdict: 'up' } })
    await ana.giveFeedback({ body: { messageId, chunkId, verdict: 'down' } })
    expect((await ana.message({ params })).verdicts).toEqual({ answer: 'up', citations: { [chunkId]: 'down' } })
    expect(lastOf(await eventsOf(ana, params))).toMatchObject({ message: { verdicts: { answer: 'up' } } })
    await ana.giveFeedback({ body: { messageId, verdict: null } })
    await ana.giveFeedback({ body: { messageId, chunkId, verdict: null } })
    const { items } = await ana.messages({ params: { id: params.id } })
    expect(items.map(({ verdicts }) => verdicts)).toEqual([
      { answer: null, citations: {} },
      { answer: null, citations: {} }
    ])
  })

  it('is not of a question, nor of what is no source of the answer', async () => {
    const { id, messageId } = await said(ana, 'q')
    const [question] = (await ana.messages({ params: { id } })).items
    const refused = [{ messageId: question!.id }, { messageId, chunkId: 'doc#0009' }]
    for (const body of refused) {
      await expect(ana.giveFeedback({ body: { ...body, verdict: 'up' } })).rejects.toMatchObject(notFound)
    }
  })
})
