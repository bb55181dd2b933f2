import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyAnswer, serve, type Served } from './test-material/served.ts'

let served: Served
beforeAll(async () => {
  served = await serve()
})
afterAll(() => served.close())

describe('without credentials only this machine is answered', () => {
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

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'and a peer at %s may search without an account while there is none',
    async (remoteAddress) => {
      const headers = { host: 'localhost', 'content-type': 'application/json' }
      const question = {
        url: '/api/v1/retrieval',
        method: 'POST',
        remoteAddress,
        headers,
        body: '{"query":"q"}'
      } as const
      expect((await served.server.inject(question)).statusCode).toBe(200)
    }
  )

  test.each(['10.0.0.7', '192.168.1.5', '::ffff:10.0.0.7', 'fe80::1'])(
    'but a peer at %s must sign in, and may only see that the server lives',
    async (remoteAddress) => {
      const headers = { host: 'localhost', 'content-type': 'application/json' }
      const question = {
        url: '/api/v1/retrieval',
        method: 'POST',
        remoteAddress,
        headers,
        body: '{"query":"q"}'
      } as const
      expect((await served.server.inject(question)).statusCode).toBe(401)
      expect((await served.server.inject({ url: '/health', remoteAddress, headers })).statusCode).toBe(200)
    }
  )

  test.each(['x-forwarded-for', 'x-real-ip', 'forwarded'])(
    'nor is somebody behind a proxy on this machine, which says so with %s',
    async (header) => {
      expect((await served.postJson('/api/v1/retrieval', { query: 'q' }, { [header]: '10.0.0.7' })).status).toBe(401)
    }
  )

  test('also where there is no route', async () => {
    expect((await served.ask('/nowhere', { headers: { host: 'evil.example' } })).status).toBe(403)
  })
})

describe('a client that goes', () => {
  test('aborts the signal of its retrieval, and is no error of ours', async () => {
    let aborted: ((reason: unknown) => void) | undefined
    const reason = new Promise<unknown>((done) => (aborted = done))
    const own = await serve({
      retrieve: (_caller, _request, signal) =>
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
    await own.close()
    expect(own.events().filter((event) => event.level === 'error')).toEqual([])
  })

  test('after its answer aborts nothing', async () => {
    let signal: AbortSignal | undefined
    const own = await serve({
      retrieve: async (_caller, _request, given) => {
        signal = given
        return emptyAnswer
      }
    })
    await own.postJson('/api/v1/retrieval', { query: 'q' })
    await own.close()
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
    const agent = new Agent({ keepAlive: true })
    const headers = { 'content-type': 'application/json' }
    const answer = own.ask('/api/v1/retrieval', { method: 'POST', headers, body: '{"query":"q"}', agent })
    await running
    const closed = own.close()
    await expect(own.ask('/health')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/)
    release?.()
    expect(await answer).toMatchObject({ status: 200, body: emptyAnswer, headers: { connection: 'close' } })
    await closed
    agent.destroy()
  })
})
