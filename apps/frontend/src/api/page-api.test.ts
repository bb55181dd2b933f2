import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApiClient } from '@oncall-agent/api-contracts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answerMock } from '../../dev/mock-api.ts'
import { mockState } from '../../dev/mock-state.ts'
import { createPageApi } from './page-api.ts'
import { problemOf, textDetail } from './problem.ts'
import { progressFetch } from './progress-fetch.ts'

const servers: Server[] = []
const realFetch = globalThis.fetch
afterEach(() => {
  vi.unstubAllGlobals()
  globalThis.fetch = realFetch
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function originOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the client of the page', () => {
  const state = mockState('out')
  const expired: string[] = []
  const api = createPageApi('http://mock.test', () => expired.push('told'))
  const answering: typeof fetch = async (input, init) => (await answerMock(state, new Request(input, init)))!

  test('tells that the session is over when a call is refused for want of one', async () => {
    globalThis.fetch = answering
    await expect(api.knowledgeBases()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    expect(expired).toEqual(['told'])
  })

  test('a wrong password and the question who one is are no end of a session', async () => {
    globalThis.fetch = answering
    expired.length = 0
    await expect(api.me()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    await expect(api.login({ body: { username: 'a', password: 'wrong-password' } })).rejects.toMatchObject({
      code: 'AUTH_REQUIRED'
    })
    expect(expired).toEqual([])
  })
})

describe('an upload that tells its progress', () => {
  test('sends the same request as fetch would, and is answered the same', async () => {
    let seen: string | undefined
    const origin = await originOf(async (request, response) => {
      seen = `${request.headers['idempotency-key']} ${Buffer.concat(await request.toArray()).includes('the bytes')}`
      response.writeHead(409, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: { code: 'CONFLICT', message: 'Same.', requestId: 'r', details: { documentId: 'd7' } } })
      )
    })
    location.href = origin
    const client = createApiClient({ baseUrl: origin, fetch: progressFetch(() => {}) })
    const files = [{ name: 'a.md', content: new Blob(['the bytes']) }]
    const refused: unknown = await client
      .uploadDocuments({ params: { id: 'kb' }, form: {}, files, idempotencyKey: 'k1' })
      .catch((error: unknown) => error)
    const problem = problemOf(refused)!
    expect([seen, problem.code, textDetail(problem, 'documentId')]).toEqual(['k1 true', 'CONFLICT', 'd7'])
  })

  test('tells the share that was sent, and none while the whole is unknown', async () => {
    const made: XMLHttpRequest[] = []
    class Watched extends XMLHttpRequest {
      constructor() {
        super()
        made.push(this)
      }
    }
    vi.stubGlobal('XMLHttpRequest', Watched)
    // The browser of the tests sends all at once and tells nothing: a slow line is told in its place.
    const sent = (loaded: number, total: number): void =>
      void made[0]!.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total }))
    const origin = await originOf((_request, response) => {
      sent(0, 0)
      sent(5, 20)
      sent(20, 20)
      response.end('{}')
    })
    location.href = origin
    const shares: number[] = []
    const answer = await progressFetch((share) => shares.push(share))(`${origin}/x`, { method: 'POST', body: 'x' })
    expect([answer.status, shares]).toEqual([200, [0, 0.25, 1]])
  })

  test('a server that cannot be reached is unavailable, with no request id', async () => {
    const origin = await originOf((request) => request.destroy())
    location.href = origin
    const client = createApiClient({ baseUrl: origin, fetch: progressFetch(() => {}) })
    await expect(client.health()).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE', requestId: '' })
  })

  test('what was stopped is no problem to show', async () => {
    const abort = new AbortController()
    const origin = await originOf(() => abort.abort())
    location.href = origin
    const client = createApiClient({ baseUrl: origin, fetch: progressFetch(() => {}) })
    const stopped: unknown = await client.health({ signal: abort.signal }).catch((error: unknown) => error)
    expect(problemOf(stopped)).toBeNull()
  })
})

test('a detail that is no text is no detail', () => {
  const problem = { code: 'CONFLICT', message: '', requestId: '', details: { documentId: 7, taskId: '' } } as const
  expect([textDetail(problem, 'documentId'), textDetail(problem, 'taskId'), textDetail(problem, 'other')]).toEqual([
    null,
    null,
    null
  ])
})
