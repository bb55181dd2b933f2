import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asking, clientWith, eventsOf, gate, lastOf, restOf, textOf, typesOf } from '../test-material/chat-bench.ts'
import { answererOf, sourceOf, toolUse } from '../test-material/fake-answerer.ts'
import { administrator, serve, type Served, type ServeParts, type SignedInPerson } from '../test-material/served.ts'

const TIMING = { saveMs: 100, leaseMs: 2_000, pollMs: 50, sweepMs: 200, graceMs: 100 }

let directory: string
let open: ReturnType<typeof gate>
let servers: Served[]
let admin: SignedInPerson
let key: Readonly<Record<string, string>> | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-resume-'))
  open = gate()
  servers = []
  key = undefined
})
afterEach(async () => {
  for (const each of servers) await each.close()
  rmSync(directory, { recursive: true })
})

/** Writes until it waits, and the rest when the gate opens. */
const answerer = answererOf(async ({ question }, tell, signal) => {
  tell({ type: 'tool.started', call: toolUse('call-1') })
  tell({ type: 'delta', text: 'Look' })
  tell({ type: 'tool.finished', call: toolUse('call-1', { status: 'ok', tookMs: 1 }) })
  tell({ type: 'source', source: sourceOf(1) })
  tell({ type: 'delta', text: 'ing 🔥' })
  await open.pass(signal)
  tell({ type: 'source', source: sourceOf(2) })
  tell({ type: 'delta', text: ` at ${question} [1][2]` })
})

/** One more server on the same data folder, as another process would be. */
async function server(parts: ServeParts['chat'] = {}): Promise<{ readonly api: ApiClient; readonly served: Served }> {
  const served = await serve({ directory, chat: { answerer, timing: TIMING, ...parts } })
  servers.push(served)
  if (key === undefined) {
    admin = await administrator(served)
    key = await admin.key('retrieve')
  }
  return { served, api: clientWith(served, key) }
}
/** What was received of an answer that waits at the gate. */
async function receivedSoFar(stream: Awaited<ReturnType<typeof asking>>['stream']) {
  const received = []
  do received.push((await stream.next()).value!)
  while (textOf(received) !== 'Looking 🔥')
  return received
}

describe('a stream that is taken up again', () => {
  it('goes on behind the event that was named, and before its end with what comes', async () => {
    const { api } = await server()
    const { stream, params, first } = await asking(api, 'q')
    const received = [first, ...(await receivedSoFar(stream))]
    for (const [index, { id }] of received.entries()) {
      const again = await api.messageEvents({ params, lastEventId: id })
      const rest = []
      while (received.length - 1 - index > rest.length) rest.push((await again.next()).value!)
      expect(typesOf(rest)).toEqual(typesOf(received.slice(index + 1)))
      expect(textOf(rest, textOf(received.slice(0, index + 1)))).toBe('Looking 🔥')
      await again.return()
    }
    const live = eventsOf(api, params, received.at(-1)!.id)
    open.open()
    const rest = await live
    expect(typesOf(rest)).toEqual(['reference.source', 'message.delta', 'message.completed'])
    expect(textOf(rest, 'Looking 🔥')).toBe('Looking 🔥 at q [1][2]')
  })

  it('is told from the start where no event is named, and its end again where that was the last', async () => {
    const { api } = await server()
    open.open()
    const { stream, params, first } = await asking(api, 'q')
    const told = [first, ...(await restOf(stream))]
    const again = await eventsOf(api, params)
    expect(textOf(again)).toBe(textOf(told))
    expect(again.filter(({ event }) => event.type !== 'message.delta')).toEqual(
      told.filter(({ event }) => event.type !== 'message.delta')
    )
    expect(typesOf(await eventsOf(api, params, told.at(-1)!.id))).toEqual(['message.completed'])
    const middle = await eventsOf(api, params, '6')
    expect(textOf(middle, 'Look')).toBe('Looking 🔥 at q [1][2]')
  })

  it('is refused for what never was an id, and for a question', async () => {
    const { api, served } = await server()
    open.open()
    const { params, stream } = await asking(api, 'q')
    await restOf(stream)
    const path = `/api/v1/conversations/${params.id}/messages/${params.messageId}/events`
    for (const id of ['-1', 'x', '1234567890']) {
      const refused = await served.ask(path, { headers: { ...admin.session, 'last-event-id': id } })
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_FAILED' } } })
    }
    const question = (await api.messages({ params: { id: params.id } })).items[0]!
    await expect(eventsOf(api, { id: params.id, messageId: question.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a second server on the same data folder', () => {
  it('tells an answer that the first one writes, from any event of it, with the same ids', async () => {
    const one = await server()
    const { stream, params, first } = await asking(one.api, 'q')
    const received = [first, ...(await receivedSoFar(stream))]
    const two = await server()
    const fromStart = await two.api.messageEvents({ params })
    const seen = []
    do seen.push((await fromStart.next()).value!)
    while (textOf(seen) !== 'Looking 🔥')
    expect(seen.at(-1)?.id).toBe(received.at(-1)?.id)
    const behind = eventsOf(two.api, params, received.at(-1)!.id)
    open.open()
    for (const rest of [restOf(fromStart), behind]) {
      expect(textOf(await rest, 'Looking 🔥')).toBe('Looking 🔥 at q [1][2]')
      expect(lastOf(await rest)).toMatchObject({ type: 'message.completed', message: { status: 'completed' } })
      expect(typesOf(await rest)).toEqual(['reference.source', 'message.delta', 'message.completed'])
    }
  })

  it('does not take the answer of a live one for abandoned, however long it is silent', async () => {
    const one = await server()
    const { params } = await asking(one.api, 'q')
    const two = await server()
    await delay(TIMING.leaseMs + 1_000)
    expect(await two.api.message({ params })).toMatchObject({ status: 'streaming' })
    await expect(asking(two.api, 'q', params.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    open.open()
    expect(lastOf(await eventsOf(two.api, params))).toMatchObject({ message: { status: 'completed' } })
  })

  it('stops it, decides its calls and deletes it', async () => {
    const waiting = answererOf(async ({ decide }, tell, signal) => {
      const call = toolUse('call-1', { status: 'waiting' })
      tell({ type: 'tool.waiting', call })
      tell({ type: 'delta', text: (await decide(call, signal)) ? 'allowed' : 'refused' })
      await open.pass(signal)
    })
    const one = await server({ answerer: waiting })
    const two = await server()
    const { params, stream } = await asking(one.api, 'q')
    await stream.next()
    const decide = (callId: string) =>
      two.served.postJson(
        `/api/v1/conversations/${params.id}/messages/${params.messageId}/calls/${callId}/decision`,
        { approved: true },
        admin.session
      )
    await expect.poll(async () => (await two.api.message({ params })).tools.length).toBe(1)
    expect((await decide('call-9')).status).toBe(404)
    expect((await decide('call-1')).status).toBe(204)
    expect((await decide('call-1')).status).toBe(409)
    await expect.poll(async () => (await two.api.message({ params })).content).toBe('allowed')
    expect(await two.api.stopMessage({ params })).toMatchObject({ status: 'partial', content: 'allowed' })
    expect(lastOf(await restOf(stream))).toMatchObject({ type: 'message.completed' })

    const next = await asking(one.api, 'q', params.id)
    await two.api.deleteConversation({ params: { id: params.id } })
    expect(lastOf(await restOf(next.stream))).toMatchObject({ type: 'error', code: 'NOT_FOUND', stored: null })
  })
})

describe('a server that stops', () => {
  it('lets an answer end that soon does', async () => {
    const { api, served } = await server({ timing: { ...TIMING, graceMs: 5_000 } })
    const { stream } = await asking(api, 'q')
    servers = []
    const closed = served.close()
    open.open()
    expect(lastOf(await restOf(stream))).toMatchObject({ type: 'message.completed' })
    await closed
  })

  it('ends the others as errors with what is written, which the next one tells the same', async () => {
    const { api, served } = await server()
    const { stream, params } = await asking(api, 'q')
    await receivedSoFar(stream)
    servers = []
    const [rest] = await Promise.all([restOf(stream), served.close()])
    const stored = { status: 'partial', content: 'Looking 🔥' }
    expect(lastOf(rest)).toMatchObject({ type: 'error', code: 'SYSTEM_UNAVAILABLE', stored })
    const next = await server()
    expect(lastOf(await eventsOf(next.api, params))).toMatchObject({
      type: 'error',
      code: 'SYSTEM_UNAVAILABLE',
      stored
    })
    open.open()
    expect(lastOf(await restOf((await asking(next.api, 'q', params.id)).stream))).toMatchObject({
      type: 'message.completed'
    })
  })
})
