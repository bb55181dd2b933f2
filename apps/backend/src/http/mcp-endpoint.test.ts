import { afterEach, describe, expect, test } from 'vitest'
import type { HttpDependencies } from './dependencies.ts'
import { administrator, serve, type Served, type ServeParts } from './test-material/served.ts'

let served: Served | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})

type Asked = Parameters<HttpDependencies['mcp']['answer']>

async function start(limits: ServeParts['limits'] = {}) {
  const asked: Asked[] = []
  let closed = 0
  const answer = {
    status: 200,
    headers: { 'content-type': 'application/json', 'mcp-session-id': 's' },
    body: '{"id":1}'
  }
  const running = await serve({
    limits,
    mcp: {
      answer: async (...given) => {
        asked.push(given)
        return answer
      },
      close: async () => {
        closed += 1
      }
    }
  })
  served = running
  const admin = await administrator(running)
  return { ...running, admin, asked, closed: () => closed }
}

describe('/mcp', () => {
  test('hands on who asks, in which language and what, and the answer as it is', async () => {
    const { postJson, admin, asked } = await start()
    const headers = { ...(await admin.key('retrieve')), 'accept-language': 'en', 'mcp-session-id': 's' }
    const answer = await postJson('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, headers)
    expect(answer).toMatchObject({ status: 200, body: { id: 1 }, headers: { 'mcp-session-id': 's' } })
    expect(asked[0]?.[0]).toMatchObject({
      method: 'POST',
      body: { method: 'ping' },
      language: 'en',
      caller: { via: 'api-key', userId: admin.userId }
    })
    expect(asked[0]?.[1].aborted).toBe(false)
  })

  test('asks nothing of the room for who may not ask', async () => {
    const { postJson, admin, asked } = await start()
    const key = await admin.key('retrieve')
    const statusOf = async (headers: Readonly<Record<string, string>>) => (await postJson('/mcp', {}, headers)).status
    expect(await statusOf({})).toBe(401)
    expect(await statusOf(admin.session)).toBe(401)
    expect(await statusOf({ ...admin.session, authorization: 'Bearer guess' })).toBe(401)
    expect(await statusOf(await admin.key('ingest', 'admin'))).toBe(403)
    expect(await statusOf({ ...key, host: 'evil.example' })).toBe(403)
    expect(await statusOf({ ...key, origin: 'http://evil.example' })).toBe(403)
    expect(await statusOf({ ...key, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(asked).toEqual([])
  })

  test('is open to nobody on this machine before there is an account either', async () => {
    served = await serve()
    expect((await served.postJson('/mcp', {})).status).toBe(401)
    expect((await served.postJson('/api/v1/retrieval', { query: 'q' })).status).toBe(200)
  })

  test('is known by its public origin behind a proxy', async () => {
    const { postJson, admin } = await start({ publicOrigin: 'https://oncall.example' })
    const headers = { ...(await admin.key('retrieve')), host: 'oncall.example', origin: 'https://oncall.example' }
    expect((await postJson('/mcp', {}, headers)).status).toBe(200)
  })

  test('counts towards the limit of its key, and ends with the server', async () => {
    const { postJson, admin, asked, closed, close } = await start({ requestsPerMinute: 3 })
    const key = await admin.key('retrieve')
    const statuses = []
    for (let each = 0; each < 4; each++) statuses.push((await postJson('/mcp', {}, key)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(asked).toHaveLength(3)
    served = undefined
    await close()
    expect(closed()).toBe(1)
  })

  test('is not in the description, which has no words for it', async () => {
    const { ask } = await start()
    const { body } = await ask('/openapi.json')
    expect(Object.keys((body as { paths: object }).paths)).not.toContain('/mcp')
  })
})
