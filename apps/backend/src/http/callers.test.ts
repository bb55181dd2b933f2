import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyAnswer, serve, type Served } from './test-material/served.ts'

let served: Served
beforeAll(async () => {
  served = await serve()
})
afterAll(() => served.server.close())

describe('only this machine is answered', () => {
  test.each(['127.0.0.1:8000', 'localhost', 'LOCALHOST:80', '[::1]:8000', '127.8.8.8'])(
    'under the host name %s',
    async (host) => {
      expect((await served.ask('/health', { headers: { host } })).status).toBe(200)
    }
  )

  test.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:8000',
    '10.0.0.7',
    '0.0.0.0',
    'a@localhost',
    'localhost/x'
  ])('not under the foreign host name %s, which a page may have pointed here', async (host) => {
    const { status, body } = await served.ask('/health', { headers: { host } })
    expect([status, body]).toMatchObject([403, { error: { code: 'AUTH_FORBIDDEN' } }])
    expect(JSON.stringify(body)).not.toContain(host)
  })

  test.each(['http://localhost:5173', 'http://127.0.0.1:8000', 'https://[::1]'])('to a page of %s', async (origin) => {
    expect((await served.ask('/health', { headers: { origin } })).status).toBe(200)
  })

  test.each([
    'https://evil.example',
    'null',
    'file://',
    'http://localhost.evil.example',
    'http://localhost@evil.example',
    ''
  ])('not to a page of the foreign origin "%s"', async (origin) => {
    expect((await served.ask('/health', { headers: { origin } })).status).toBe(403)
  })

  test.each([
    ['127.0.0.1', 200],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
    ['10.0.0.7', 403],
    ['192.168.1.5', 403],
    ['::ffff:10.0.0.7', 403],
    ['fe80::1', 403]
  ])('and a peer at %s gets %i', async (remoteAddress, status) => {
    const answer = await served.server.inject({ url: '/health', remoteAddress, headers: { host: 'localhost' } })
    expect(answer.statusCode).toBe(status)
  })

  test('also where there is no route', async () => {
    expect((await served.ask('/nowhere', { headers: { host: 'evil.example' } })).status).toBe(403)
  })
})

describe('a client that goes', () => {
  test('aborts the signal of its retrieval, and is no error of ours', async () => {
    let aborted: ((reason: unknown) => void) | undefined
    const reason = new Promise<unknown>((done) => (aborted = done))
    const own = await serve({
      retrieve: (_request, { signal }) =>
        new Promise((_done, reject) => {
          client.destroy()
          signal.addEventListener('abort', () => {
            aborted?.(signal.reason)
            reject(signal.reason)
          })
        })
    })
    const headers = { 'content-type': 'application/json' }
    const client = request({ port: own.port, host: '127.0.0.1', path: '/api/v1/retrieval', method: 'POST', headers })
    client.on('error', () => undefined).end('{"query":"q"}')
    expect(await reason).toMatchObject({ name: 'AbortError' })
    await own.server.close()
    expect(own.events().filter((event) => event.level === 'error')).toEqual([])
  })

  test('after its answer aborts nothing', async () => {
    let signal: AbortSignal | undefined
    const own = await serve({
      retrieve: async (_request, context) => {
        signal = context.signal
        return emptyAnswer
      }
    })
    await own.postJson('/api/v1/retrieval', { query: 'q' })
    await own.server.close()
    expect(signal?.aborted).toBe(false)
  })
})

describe('closing', () => {
  test('answers what is running, takes nothing new and ends', async () => {
    let release: (() => void) | undefined
    let started: (() => void) | undefined
    const running = new Promise<void>((done) => (started = done))
    const own = await serve({
      retrieve: async () => {
        started?.()
        await new Promise<void>((done) => (release = done))
        return emptyAnswer
      }
    })
    const answer = own.postJson('/api/v1/retrieval', { query: 'q' })
    await running
    const closed = own.server.close()
    await expect(own.ask('/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    release?.()
    expect(await answer).toMatchObject({ status: 200, body: emptyAnswer })
    await closed
  })
})
