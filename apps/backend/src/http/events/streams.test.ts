import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { asking, clientOf, eventsOf, gate, textOf } from '../test-material/chat-bench.ts'
import { answererOf } from '../test-material/fake-answerer.ts'
import { administrator, serve, type Served, type ServeParts, type SignedInPerson } from '../test-material/served.ts'

let served: Served | undefined
let proxy: Server | undefined
afterEach(async () => {
  await served?.close()
  proxy?.closeAllConnections()
  proxy?.close()
  proxy = undefined
})

async function started(parts: ServeParts) {
  served = await serve(parts)
  const admin = await administrator(served)
  return { ...served, admin, api: await clientOf(served, admin) }
}

/** The answer of a plain request, whose body nobody has read yet. */
async function opened(
  port: number,
  path: string,
  admin: SignedInPerson,
  changed: {
    readonly method?: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  } = {}
): Promise<IncomingMessage> {
  const { method = 'GET', body, headers = {} } = changed
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: { ...admin.session, ...headers }
  })
  if (body === undefined) sent.end()
  else sent.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  return response
}

const eventsPath = ({ id, messageId }: { readonly id: string; readonly messageId: string }) =>
  `/api/v1/conversations/${id}/messages/${messageId}/events`

const waitsAt = (open: ReturnType<typeof gate>) =>
  answererOf(async (_turn, tell, signal) => {
    tell({ type: 'delta', text: 'first' })
    await open.pass(signal)
    tell({ type: 'delta', text: ' second' })
  })

describe('a stream of events', () => {
  it('has the headers that keep everything on the way from keeping it back', async () => {
    const { api, port, admin } = await started({})
    const { id } = await api.createConversation({ body: {} })
    const path = `/api/v1/conversations/${id}/messages`
    const response = await opened(port, path, admin, { method: 'POST', body: { content: 'q' } })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff'
    })
    expect(response.headers).not.toHaveProperty('content-length')
    const text = Buffer.concat(await response.toArray()).toString()
    expect(text).toMatch(
      /^id: 1\nevent: message\.started\ndata: \{[^\n]*\}\n\n(id: \d+\nevent: [\w.]+\ndata: \{[^\n]*\}\n\n)+$/
    )
    const refused = await opened(port, path, admin, { method: 'POST', body: { content: '' } })
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8'])
  })

  it('says that it lives while nothing is told', async () => {
    const open = gate()
    const { api, port, admin } = await started({ limits: { heartbeatMs: 30 }, chat: { answerer: waitsAt(open) } })
    const { params } = await asking(api, 'q')
    const response = await opened(port, eventsPath(params), admin)
    const text: string[] = []
    response.setEncoding('utf8').on('data', (piece: string) => void text.push(piece))
    await expect.poll(() => text.join('').match(/^: $/gm)?.length ?? 0).toBeGreaterThan(3)
    open.open()
    await once(response, 'end')
    expect(text.join('')).toContain('event: message.completed')
    // The typed client skips what is no event.
    expect(textOf(await eventsOf(api, params))).toBe('first second')
  })

  it('comes through a proxy that compresses, each event when it is told', async () => {
    const open = gate()
    const { api, port, admin } = await started({ chat: { answerer: waitsAt(open) } })
    const { id } = await api.createConversation({ body: {} })
    const through = await startGzipProxy(port)
    const path = `/api/v1/conversations/${id}/messages`
    const response = await opened(through, path, admin, { method: 'POST', body: { content: 'q' } })
    expect(response.headers['content-encoding']).toBe('gzip')
    const text: string[] = []
    const plain = response.pipe(createGunzip()).setEncoding('utf8')
    plain.on('data', (piece: string) => void text.push(piece))
    // Nothing ends here: what comes was let through while the answer is being written.
    await expect.poll(() => text.join('')).toContain('"text":"first"')
    expect(text.join('')).not.toContain('second')
    open.open()
    await once(plain, 'end')
    expect(text.join('')).toContain('event: message.completed')
  })

  it('costs a slow reader’s share of memory no more than what is written, and comes to its end', async () => {
    const PIECES = 400
    const PIECE = 'x'.repeat(20_000)
    const answerer = answererOf(async (_turn, tell) => {
      for (let piece = 0; piece < PIECES; piece++) {
        tell({ type: 'delta', text: PIECE })
        await delay(1)
      }
    })
    const { api, port, admin, server } = await started({ chat: { answerer } })
    const { stream, params } = await asking(api, 'q')
    const sockets: Socket[] = []
    server.server.on('connection', (socket) => void sockets.push(socket))
    const slow = await opened(port, eventsPath(params), admin)
    let most = 0
    for await (const _ of stream) most = Math.max(most, ...sockets.map(({ writableLength }) => writableLength))
    // What the network has not taken yet stays in the one text that all readers share.
    expect(sockets).toHaveLength(1)
    expect(most).toBeLessThan(200_000)
    expect(most).toBeGreaterThan(0)
    const text = Buffer.concat(await slow.toArray()).toString()
    expect(text).toContain('event: message.completed')
    expect(text.match(/"text":"x+"/g)!.reduce((sum, each) => sum + each.length - '"text":""'.length, 0)).toBe(
      PIECES * PIECE.length
    )
  })

  it('is cut off when its reader takes nothing for long, and the answer is written all the same', async () => {
    const answerer = answererOf(async (_turn, tell) => {
      for (let piece = 0; piece < 100; piece++) {
        tell({ type: 'delta', text: 'x'.repeat(200_000) })
        await delay(2)
      }
    })
    const opens: number[] = []
    const onStream = (change: 1 | -1) => void opens.push(change)
    const { api, port, admin } = await started({ limits: { stallMs: 200 }, chat: { answerer }, onStream })
    const { id } = await api.createConversation({ body: {} })
    const path = `/api/v1/conversations/${id}/messages`
    const deaf = await opened(port, path, admin, { method: 'POST', body: { content: 'q' } })
    await expect.poll(() => opens, { timeout: 20_000 }).toEqual([1, -1])
    await expect(deaf.toArray()).rejects.toThrow('aborted')
    const answer = async () => (await api.messages({ params: { id } })).items[1]
    await expect.poll(async () => (await answer())?.status, { timeout: 60_000, interval: 500 }).toBe('completed')
    expect((await answer())?.content).toHaveLength(20_000_000)
  })

  it('answers HEAD without a body and without waiting for the answer', async () => {
    const open = gate()
    const { api, port, admin } = await started({ chat: { answerer: waitsAt(open) } })
    const { params } = await asking(api, 'q')
    const response = await opened(port, eventsPath(params), admin, { method: 'HEAD' })
    expect([response.statusCode, await response.toArray()]).toEqual([200, []])
    open.open()
  })
})

/** Compresses whatever comes from the server, and lets through at once what has come. */
async function startGzipProxy(port: number): Promise<number> {
  proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers, agent: false })
    incoming.pipe(forwarded)
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, 'content-encoding': 'gzip' })
      response.pipe(createGzip({ flush: constants.Z_SYNC_FLUSH })).pipe(outgoing)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return (proxy.address() as AddressInfo).port
}
