import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, type ToolUse } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../auth/index.ts'
import { createLogger } from '../../observability/index.ts'
import { type BusinessStore, openBusinessStore } from '../../store/index.ts'
import type { Answer, Answerer, Turn } from '../answer/turn.ts'
import type { Conversations } from './conversations.ts'
import { createConversations } from './create-conversations.ts'
import { type FollowContext, followAnswer } from './follow-answer.ts'

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
const call: ToolUse = {
  callId: 'call-1',
  tool: 'cls__delete',
  arguments: '{}',
  status: 'waiting',
  tookMs: null,
  failure: null,
  found: null
}

let directory: string
let stores: BusinessStore[]
let rooms: Conversations[]
let turns: Turn[]
let answers: PromiseWithResolvers<Answer>
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-turns-'))
  stores = []
  rooms = []
  turns = []
  answers = Promise.withResolvers()
})
afterEach(async () => {
  answers.resolve(whole)
  for (const room of rooms) await room.close()
  for (const store of stores) await store.close()
  rmSync(directory, { recursive: true })
})

const logger = createLogger({ level: 'fatal', destination: { write: () => undefined } })
const held: Answerer = async (turn) => {
  turns.push(turn)
  return answers.promise
}
/** Asks a person about one call, and tells what they said. */
const asks: Answerer = async (turn, tell, signal) => {
  tell({ type: 'tool.waiting', call })
  const approved = await turn.decide(call, signal)
  const ended = { ...call, status: approved ? ('ok' as const) : ('refused' as const) }
  tell({ type: 'tool.finished', call: ended })
  return { ...whole, tools: [ended], content: approved ? 'done' : 'not done' }
}

/** As another process over the same folder would have them. */
function opened(answerer: Answerer, changed: { readonly streams?: number; readonly approvalMs?: number } = {}) {
  const store = openBusinessStore(directory)
  const room = createConversations({
    store,
    answerer,
    readableBy: async () => [],
    streams: 3,
    approvalMs: 60_000,
    logger,
    timing: { saveMs: 300, leaseMs: 20_000, pollMs: 10, sweepMs: 5_000, graceMs: 10 },
    ...changed
  })
  stores.push(store)
  rooms.push(room)
  return { store, room }
}

async function waiting(room: Conversations) {
  const { id: conversationId } = await room.create(caller, {})
  for await (const events of await room.send(caller, conversationId, { content: 'q' }, how)) {
    const first = events[0]?.event
    if (first?.type !== 'message.started') throw new Error('no beginning')
    const { messageId } = first
    const stored = async () => room.message(caller, conversationId, messageId)
    await expect.poll(async () => (await stored()).tools[0]?.status).toBe('waiting')
    return { address: { conversationId, messageId, callId: 'call-1' }, stored }
  }
  throw new Error('no event')
}

describe('places', () => {
  it('are as many as there are, also for questions that come at the same moment; a refused question leaves none taken', async () => {
    const { room } = opened(held)
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await room.create(caller, {})).id))
    const sent = await Promise.allSettled(ids.map((id) => room.send(caller, id, { content: 'q' }, how)))
    expect(sent.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), ...Array(3).fill('rejected')])
    expect(sent[3]).toMatchObject({ reason: { code: 'RATE_LIMITED' } })
    answers.resolve(whole)
    await expect
      .poll(async () => (await room.messages(caller, ids[2]!, { limit: 9 })).items[1]?.status)
      .toBe('completed')
    for (let times = 0; times < 5; times += 1) {
      await expect(room.send(caller, 'no conversation', { content: 'q' }, how)).rejects.toMatchObject({
        code: 'NOT_FOUND'
      })
    }
    await room.send(caller, ids[5]!, { content: 'q' }, how)
  })

  it('that are taken when the process stops end with it', async () => {
    const { room, store } = opened(
      (_turn, _tell, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    )
    const { id } = await room.create(caller, {})
    const sending = room.send(caller, id, { content: 'q' }, how)
    // Until it has a place, and is not stored.
    await Promise.resolve()
    await room.close()
    await sending
    const { items } = await store.messages.list(id, { limit: 9 })
    expect(items.map(({ status }) => status)).toEqual(['completed', 'failed'])
  })
})

describe('what a person says to a call that waits', () => {
  it('counts once, through whichever process it came first', async () => {
    const first = opened(asks).room
    const other = opened(held).room
    const { address, stored } = await waiting(first)
    await other.decide(caller, address, false)
    await expect(first.decide(caller, address, true)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect.poll(async () => (await stored()).status).toBe('completed')
    expect(await stored()).toMatchObject({ content: 'not done' })
  })

  it('comes too late when the time is over, through any process', async () => {
    const first = opened(asks, { approvalMs: 50 })
    const { room, store } = opened(held)
    const { address, stored } = await waiting(first.room)
    await expect.poll(async () => (await store.answers.decisions([address.messageId])).size).toBe(1)
    await expect(room.decide(caller, address, true)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect.poll(async () => (await stored()).status).toBe('completed')
    expect(await stored()).toMatchObject({ content: 'not done' })
  })
})

it('a turn knows how many messages are older than those that it is given', async () => {
  const { room } = opened(async (turn) => {
    turns.push(turn)
    return whole
  })
  const { id } = await room.create(caller, {})
  for (let times = 0; times < 22; times += 1) {
    for await (const events of await room.send(caller, id, { content: `q${times}` }, how)) void events
  }
  expect(turns.map(({ history, older }) => [history.length, older]).slice(-3)).toEqual([
    [38, 0],
    [40, 0],
    [40, 2]
  ])
})

describe('a stream that is read from the store', () => {
  const locked = new AppError('DATA_LOCKED', { operation: 'read' })
  /** Follows an answer through a store that fails so many times. */
  async function followed(failures: number) {
    const { room, store } = opened(async () => whole)
    const { id } = await room.create(caller, {})
    for await (const events of await room.send(caller, id, { content: 'q' }, how)) void events
    const { items } = await store.messages.list(id, { limit: 9 })
    let left = failures
    const own: BusinessStore['messages']['own'] = (...asked) => {
      left -= 1
      return left >= 0 ? Promise.reject(locked) : store.messages.own(...asked)
    }
    const messages = { ...store.messages, own }
    const { answers: answerFacts, answerFeedback } = store
    const closing = new AbortController().signal
    const context: FollowContext = {
      store: { messages, answers: answerFacts, answerFeedback },
      running: new Map(),
      logger,
      pollMs: 1,
      closing
    }
    const told = []
    const from = {
      owner: caller,
      question: items[0]!,
      answer: items[1]!,
      lastEventId: 0,
      requestId: 'r',
      signal: closing
    }
    for await (const events of followAnswer(context, from)) told.push(...events.map(({ event }) => event.type))
    return told
  }

  it('goes on behind a passing fault', async () => {
    expect((await followed(5)).at(-1)).toBe('message.completed')
  })

  it('ends without a last event when the fault stays, for the answer has not failed', async () => {
    expect(await followed(1_000)).toEqual([])
  })
})
