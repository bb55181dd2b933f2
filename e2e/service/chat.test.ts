import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient, MessageEvent } from '@oncall-agent/api-contracts'
import {
  calls,
  type ChatModelServer,
  decides,
  diesAfter,
  says,
  saysSlowly,
  stallsAfter,
  startChatModelServer
} from '@oncall-agent/backend/chat-model-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oncall, runbooks, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { addPerson, bootstrap, keyOf, signIn } from './people.ts'
import { type Served, startServer } from './served.ts'

const STREAMS = 200
/** Of the answers that are written at the same time: so many pieces, one every so many milliseconds. */
const PIECES = 20
const PIECE_MS = 250

let chat: ChatModelServer
let models: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let environment: Record<string, string>
let servers: Served[]

beforeAll(async () => {
  ;[chat, models, folder] = await Promise.all([
    startChatModelServer(says('It is ', 'fine.')),
    startModelStub(),
    temporaryFolder()
  ])
  environment = {
    ...models.environment,
    KB_CHAT__BASE_URL: chat.baseUrl,
    KB_CHAT__MODEL: 'stub',
    KB_CHAT__TIMEOUT_MS: '60000'
  }
  servers = [await startServer(folder.path, environment)]
  await bootstrap(servers[0]!.address)
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await Promise.all([chat.close(), models.close(), folder.remove()])
})

async function asking(api: ApiClient, content: string) {
  const { id } = await api.createConversation({ body: {} })
  const stream = await api.sendMessage({ params: { id }, body: { content } })
  const { event } = (await stream.next()).value!
  if (event.type !== 'message.started') throw new Error(`the stream begins with ${event.type}`)
  return { stream, params: { id, messageId: event.messageId } }
}

type Stream = Awaited<ReturnType<typeof asking>>['stream']

/** Reads until the text ends so, and gives the id of the last event; until the stream's end where nothing is named. */
async function read(stream: Stream, until?: string) {
  let text = ''
  let lastEventId = ''
  let last: MessageEvent | undefined
  for (;;) {
    const { value, done } = await stream.next()
    if (done === true) break
    last = value.event
    lastEventId = value.id
    if (last.type === 'message.delta') text = text.slice(0, last.offset) + last.text
    if (until !== undefined && text.endsWith(until)) break
  }
  return { text, lastEventId, last }
}

const own = async () => (await signIn(servers[0]!.address, 'ana')).api

describe('an answer of a served agent', () => {
  it('is written by the model with what the tools found, and its events are told in order', async () => {
    const { address } = servers[0]!
    const ana = await signIn(address, 'ana')
    const api = await keyOf(address, ana, 'retrieve')
    const base = await ana.api.createKnowledgeBase({ body: { name: 'runbooks' } })
    const content = new Blob(['# etcd\n\nWhen the space is exhausted, defragment the member.'])
    const upload = { form: { index: true }, files: [{ name: 'etcd.md', content }] }
    const { document } = await ana.api.uploadDocuments({ params: { id: base.id }, ...upload })
    await expect
      .poll(async () => (await ana.api.document({ params: { id: document.id } })).indexStatus, { timeout: 60_000 })
      .toBe('indexed')
    chat.script(
      calls([{ name: 'knowledge_retrieval', arguments: { query: 'etcd space' } }]),
      says('Defragment it [1].')
    )
    const { stream, params } = await asking(api, 'etcd is full')
    const types: string[] = []
    let last: MessageEvent | undefined
    for await (const { event } of stream) types.push((last = event).type)
    expect([...new Set(types)]).toEqual([
      'tool.started',
      'tool.finished',
      'reference.source',
      'message.delta',
      'message.completed'
    ])
    const message = await api.message({ params })
    expect(last).toEqual({ type: 'message.completed', message })
    expect(message).toMatchObject({ mode: 'agent', retrieval: 'found', content: 'Defragment it [1].' })
    expect(message.sources).toMatchObject([{ marker: 1, documentId: document.id, cited: true }])
    const run = await api.retrievalRun({ params: { runId: message.sources[0]!.runId! } })
    expect(run).toBeDefined()
    const { items } = await ana.api.toolCalls()
    expect(items).toMatchObject([{ tool: 'knowledge_retrieval', status: 'ok', messageId: params.messageId }])
  })

  it('whose model dies in the middle is an error, with what it said', async () => {
    chat.script(diesAfter('Half a '))
    const { stream } = await asking(await own(), 'q')
    expect((await read(stream)).last).toMatchObject({
      type: 'error',
      code: 'SYSTEM_UNAVAILABLE',
      stored: { status: 'partial', content: expect.stringContaining('Half a') }
    })
    const ready = await (await fetch(`${servers[0]!.address}/ready`)).json()
    expect(JSON.stringify(ready)).toContain('The chat model is unavailable.')
    await read((await asking(await own(), 'q')).stream)
    expect(JSON.stringify(await (await fetch(`${servers[0]!.address}/ready`)).json())).not.toContain('unavailable')
  })

  it('is nobody else’s, whoever writes it and wherever it is asked for', async () => {
    const { address } = servers[0]!
    const eve = await addPerson(address, await signIn(address, 'ana'), 'eve')
    const { stream, params } = await asking(await own(), 'a secret')
    await read(stream)
    for (const attempt of [
      () => eve.api.message({ params }),
      () => eve.api.messageEvents({ params }),
      () => eve.api.conversation({ params: { id: params.id } }),
      () => eve.api.stopMessage({ params })
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

describe('a server that is killed while it writes', () => {
  it('leaves what was written, which another one ends as partial, and nobody waits for ever', async () => {
    const doomed = await startServer(folder.path, environment)
    const other = servers[0]!
    chat.script(stallsAfter('So far, ', 'so good.'))
    const dying = (await signIn(doomed.address, 'ana')).api
    const { stream, params } = await asking(dying, 'q')
    const { lastEventId } = await read(stream, 'so good.')
    const api = await own()
    // Stored within a second, and read along by who listens elsewhere.
    await expect.poll(async () => (await api.message({ params })).content, { timeout: 10_000 }).toBe('So far, so good.')
    const elsewhere = await api.messageEvents({ params, lastEventId })
    const behind = read(elsewhere)
    await doomed.kill()
    await expect(read(stream)).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    const end = {
      type: 'error',
      code: 'SYSTEM_UNAVAILABLE',
      stored: { status: 'partial', content: 'So far, so good.' }
    }
    expect((await behind).last).toMatchObject(end)
    expect(other.log().includes('answers of a process that died have ended')).toBe(true)
    // And the conversation goes on.
    const next = await api.sendMessage({ params: { id: params.id }, body: { content: 'again' } })
    expect((await read(next)).last).toMatchObject({ type: 'message.completed' })
  })

  it('and started again ends what it left, which is told from any event of it', async () => {
    const address = new URL(servers[0]!.address)
    chat.script(stallsAfter('Begun.'))
    const { stream, params } = await asking(await own(), 'q')
    const { lastEventId } = await read(stream, 'Begun.')
    await delay(1_500)
    await servers[0]!.kill()
    servers = [await startServer(folder.path, { ...environment, KB_SERVER__PORT: address.port })]
    const api = await own()
    for (const from of [undefined, lastEventId]) {
      const told = await read(await api.messageEvents({ params, ...(from === undefined ? {} : { lastEventId: from }) }))
      expect(told.text).toBe(from === undefined ? 'Begun.' : '')
      expect(told.last).toMatchObject({ type: 'error', stored: { status: 'partial', content: 'Begun.' } })
    }
  })

  it('when it is told to stop lets no stream hang, and keeps what is written', async () => {
    const stopping = await startServer(folder.path, environment)
    chat.script(stallsAfter('Unfinished'))
    const { stream, params } = await asking((await signIn(stopping.address, 'ana')).api, 'q')
    await read(stream, 'Unfinished')
    const [{ last }, code] = await Promise.all([read(stream), stopping.stop()])
    expect(code).toBe(0)
    expect(last).toMatchObject({ type: 'error', code: 'SYSTEM_UNAVAILABLE', stored: { content: 'Unfinished' } })
    expect(await (await own()).message({ params })).toMatchObject({ status: 'partial', content: 'Unfinished' })
  })
})

describe(`${STREAMS} answers at once`, () => {
  it('are all told to their end by one process', async () => {
    const api = await own()
    chat.usually(saysSlowly(PIECE_MS, ...Array.from({ length: PIECES }, (_, piece) => `${piece} `)))
    const expected = Array.from({ length: PIECES }, (_, piece) => `${piece} `).join('')
    await loopDelayMs()
    const answers = await Promise.all(
      Array.from({ length: STREAMS }, async (_, at) => read((await asking(api, `question ${at}`)).stream))
    )
    const delayed = await loopDelayMs()
    expect(answers.filter(({ last }) => last?.type === 'message.completed')).toHaveLength(STREAMS)
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([expected]))
    console.info(`event loop delay p99 with ${STREAMS} streams: ${delayed.toFixed(1)} ms`)
    const metrics = await (await fetch(`${servers[0]!.address}/metrics`)).text()
    expect(metrics).toMatch(/^oncall_chat_streams_open 0$/m)
    expect(metrics).toMatch(/^oncall_chat_answers_total\{status="completed",mode="agent"\} 2\d\d$/m)
    chat.usually(says('It is fine.'))
  })
})

describe('oncall ask', () => {
  it('answers on stdout with the sources below, or as one JSON value', async () => {
    const data = await temporaryFolder()
    const env = { ...environment, KB_EMBEDDING__PROVIDER: 'bundled', KB_RERANK__PROVIDER: 'bundled' }
    await oncall(['index', runbooks, '--data', data.path], env)
    chat.usually(
      decides(({ body }) =>
        body.messages.some(({ role }) => role === 'tool')
          ? says('Run `etcdctl defrag` [1], not [9].')
          : calls([{ name: 'knowledge_retrieval', arguments: { query: 'etcd space' } }])
      )
    )
    const plain = await oncall(['ask', 'etcd', 'is', 'full', '--data', data.path], env)
    expect(plain.stdout).toMatch(/^Run `etcdctl defrag` \[1\], not\.\n\n\[1\] /)
    const json = await oncall(['ask', 'etcd is full', '--json', '--kb', 'default', '--data', data.path], env)
    expect(JSON.parse(json.stdout)).toMatchObject({
      answer: expect.stringContaining('[1]'),
      status: 'completed',
      mode: 'agent',
      removedMarkers: 1,
      sources: [{ marker: 1, cited: true }, {}, {}, {}, {}]
    })
    const nobody = await oncall(['ask', 'q', '--json', '--kb', 'nothing', '--data', data.path], env)
    expect([nobody.exit, JSON.parse(nobody.stdout)]).toMatchObject([1, { error: { code: 'NOT_FOUND' } }])
    await data.remove()
  })
})

/** Since the last look; the process counts anew with each. */
async function loopDelayMs(): Promise<number> {
  const metrics = await (await fetch(`${servers[0]!.address}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]) * 1_000
}
