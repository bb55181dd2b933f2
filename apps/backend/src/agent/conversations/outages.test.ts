import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { MessageEvent } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../auth/index.ts'
import { createLogger } from '../../observability/index.ts'
import { type BusinessStore, openBusinessStore } from '../../store/index.ts'
import type { Answer } from '../answer/turn.ts'
import type { AnswerFeed } from './follow-answer.ts'
import type { Conversations } from './conversations.ts'
import { createConversations } from './create-conversations.ts'
import { GroupedWrites } from './grouped-writes.ts'

const caller: Caller = {
  userId: 'ana',
  tenantId: 'ana',
  role: 'member',
  via: 'local',
  scopes: new Set(['retrieve']),
  credentialId: 'ana'
}
const how = { language: 'en', requestId: 'r1', signal: new AbortController().signal } as const
const whole: Answer = {
  status: 'completed',
  content: 'whole',
  mode: 'agent',
  retrieval: 'none',
  sources: [],
  tools: [],
  removedMarkers: 0,
  failure: null
}

let directory: string
let store: BusinessStore
let room: Conversations
let log: string[]
let answers: PromiseWithResolvers<Answer>
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-outages-'))
  store = openBusinessStore(directory, { busyTimeoutMs: 1 })
  log = []
  answers = Promise.withResolvers()
  room = createConversations({
    store,
    answerer: (_turn, tell) => {
      tell({ type: 'delta', text: 'so far' })
      return answers.promise
    },
    readableBy: async () => [],
    streams: 10,
    approvalMs: 1_000,
    logger: createLogger({ level: 'info', destination: { write: (line: string) => void log.push(line) } }),
    timing: { saveMs: 20, leaseMs: 500, pollMs: 10, sweepMs: 50, graceMs: 10 }
  })
})
afterEach(async () => {
  answers.resolve(whole)
  await room.close()
  await store.close()
  rmSync(directory, { recursive: true })
})

/** Another process that holds the lock for writing until it is told to let go. */
function lock(): () => void {
  const other = new DatabaseSync(join(directory, 'business.db'))
  other.exec('BEGIN IMMEDIATE')
  return () => {
    other.exec('ROLLBACK')
    other.close()
  }
}

async function asked() {
  const { id } = await room.create(caller, {})
  const feed = await room.send(caller, id, { content: 'q' }, how)
  const iterator = feed[Symbol.asyncIterator]()
  const { event } = (await iterator.next()).value![0]!
  if (event.type !== 'message.started') throw new Error(event.type)
  return { id, messageId: event.messageId, rest: { [Symbol.asyncIterator]: () => iterator } as AnswerFeed }
}

async function lastOf(feed: AnswerFeed): Promise<MessageEvent | undefined> {
  let last: MessageEvent | undefined
  for await (const events of feed) last = events.at(-1)?.event
  return last
}

describe('while the store can not be written', () => {
  it('an answer goes on, and is stored when it can be again; the log says so once', async () => {
    const { id, messageId, rest } = await asked()
    const unlock = lock()
    await expect.poll(() => log.filter((line) => line.includes('answers can not be stored')).length).toBe(1)
    answers.resolve(whole)
    unlock()
    expect(await lastOf(rest)).toMatchObject({ type: 'message.completed', message: { content: 'whole' } })
    expect(await room.message(caller, id, messageId)).toMatchObject({ status: 'completed', content: 'whole' })
    expect(log.filter((line) => line.includes('answers can not be stored'))).toHaveLength(1)
  })

  it('a stream does not wait for ever for an end that can not be stored', async () => {
    const { id, messageId, rest } = await asked()
    await expect.poll(async () => (await room.message(caller, id, messageId)).content).toBe('so far')
    const unlock = lock()
    answers.resolve(whole)
    expect(await lastOf(rest)).toMatchObject({ type: 'error', code: 'DATA_LOCKED', stored: null, requestId: 'r1' })
    unlock()
    // Nobody holds it any more: it ends with what was stored, as that of a process that died.
    await expect.poll(async () => (await room.message(caller, id, messageId)).status).toBe('partial')
    expect(await room.message(caller, id, messageId)).toMatchObject({ content: 'so far' })
  })

  it('a question is refused, and nothing of it is kept', async () => {
    const { id } = await room.create(caller, {})
    const unlock = lock()
    await expect(room.send(caller, id, { content: 'q' }, how)).rejects.toMatchObject({ code: 'DATA_LOCKED' })
    unlock()
    expect((await room.messages(caller, id, { limit: 10 })).total).toBe(0)
  })
})

describe('an answer that another process has taken for dead', () => {
  it('is not written any more by the one that comes back', async () => {
    const { id, messageId, rest } = await asked()
    await store.answers.abandonExpired(Date.now() + 60_000)
    expect(await lastOf(rest)).toMatchObject({ type: 'error' })
    answers.resolve(whole)
    expect(await room.message(caller, id, messageId)).toMatchObject({
      status: expect.stringMatching(/^(partial|failed)$/),
      failure: { code: 'SYSTEM_UNAVAILABLE' }
    })
  })
})

describe('writes that come at once', () => {
  it('are done in order, and what one throws spoils it for no other', async () => {
    const writes = new GroupedWrites(store)
    const make = (title: string) =>
      writes.do(async (tables) => {
        await tables.conversations.insert(caller, { id: title, title, now: 1 })
        if (title === 'bad') throw new Error('spoiled')
        return title
      })
    const titles = ['a', 'b', 'bad', 'c', ...Array.from({ length: 20 }, (_, at) => `t${at}`)]
    const done = await Promise.allSettled(titles.map((title) => make(title)))
    expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    const listed = (await store.conversations.list(caller, { limit: 100 })).items.map(({ title }) => title)
    expect(listed.toReversed()).toEqual(titles.filter((title) => title !== 'bad'))
  })
})
