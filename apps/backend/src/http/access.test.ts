import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, member, PASSWORD, serve, type Served, type SignedInPerson } from './test-material/served.ts'

let served: Served
let admin: SignedInPerson
beforeAll(async () => {
  served = await serve()
  admin = await administrator(served)
})
afterAll(() => served.close())

const me = '/api/v1/auth/me'
const bases = '/api/v1/knowledge-bases'
const credentials = { username: 'admin', password: PASSWORD }
const cookieOf = (headers: Readonly<Record<string, unknown>>): string => String([headers['set-cookie']].flat()[0])

describe('the first account', () => {
  test('is asked for on this machine, made once, and signs in', async () => {
    const own = await serve()
    expect((await own.ask(me)).body).toEqual({ user: null, via: 'local', needsFirstAccount: true })
    expect(await own.ask(bases)).toMatchObject({
      status: 401,
      body: { error: { message: 'There is no account yet: make the first one, then sign in.' } }
    })
    const made = await own.postJson('/api/v1/auth/bootstrap', credentials)
    expect(made).toMatchObject({ status: 201, body: { user: { username: 'admin', role: 'admin' }, via: 'session' } })
    const cookie = cookieOf(made.headers).split(';')[0]
    expect((await own.ask(bases, { headers: { cookie } })).status).toBe(200)
    expect((await own.ask(me)).status).toBe(401)
    expect((await own.postJson('/api/v1/auth/bootstrap', { ...credentials, username: 'eve' })).status).toBe(409)
    expect((await own.postJson('/api/v1/retrieval', { query: 'q' })).status).toBe(401)
    await own.close()
  })

  test.each([
    ['another machine', '10.0.0.7', {}],
    ['a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '10.0.0.7' }],
    ['a page that has pointed its name here', '127.0.0.1', { host: 'evil.example' }]
  ])('is not made from %s', async (_what, remoteAddress, headers) => {
    const own = await serve()
    const { statusCode } = await own.server.inject({
      url: '/api/v1/auth/bootstrap',
      method: 'POST',
      remoteAddress,
      headers: { host: 'localhost', ...headers },
      body: credentials
    })
    expect(statusCode).toBe(403)
    expect(await own.auth.needsFirstAccount()).toBe(true)
    await own.close()
  })
})

describe('a session', () => {
  test('is a cookie that scripts and other sites do not get, and never a body', async () => {
    const { status, headers, body } = await served.postJson('/api/v1/auth/login', credentials)
    const cookie = cookieOf(headers)
    expect(status).toBe(200)
    expect(cookie).toMatch(/^oncall_session=[\w-]{20,}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(JSON.stringify(body)).not.toContain(cookie.split(/[=;]/)[1])
    expect((await served.ask(me, { headers: { cookie: `a=b; ${cookie.split(';')[0]}` } })).body).toMatchObject({
      user: { username: 'admin' },
      via: 'session'
    })
  })

  test('is sent over TLS only where the server is reached so', async () => {
    const own = await serve({ limits: { publicOrigin: 'https://oncall.example' } })
    const { headers } = await own.postJson('/api/v1/auth/bootstrap', credentials)
    expect(cookieOf(headers)).toMatch(/; Secure$/)
    await own.close()
  })

  test('ends with signing out, also for who kept the cookie', async () => {
    const { headers } = await served.postJson('/api/v1/auth/login', credentials)
    const cookie = cookieOf(headers).split(';')[0]
    const out = await served.ask('/api/v1/auth/logout', { method: 'POST', headers: { cookie } })
    expect([out.status, cookieOf(out.headers)]).toEqual([204, expect.stringMatching(/^oncall_session=; Max-Age=0; /)])
    expect((await served.ask(me, { headers: { cookie } })).status).toBe(401)
  })

  test.each([
    ['the same origin', (port: number) => ({ origin: `http://127.0.0.1:${port}` }), 201],
    ['no origin, as tools', () => ({}), 201],
    ['another port of this machine', () => ({ origin: 'http://127.0.0.1:1' }), 403],
    ['another site', () => ({ origin: 'https://evil.example' }), 403],
    ['a sandboxed page', () => ({ origin: 'null' }), 403],
    ['another site that hides its origin', () => ({ 'sec-fetch-site': 'cross-site' }), 403]
  ])('changes something for %s', async (_what, headersOf, expected) => {
    const headers: Record<string, string> = { ...admin.session, ...headersOf(served.port) }
    expect((await served.postJson(bases, { name: 'n' }, headers)).status).toBe(expected)
    const read = await served.ask(bases, { headers })
    expect(read.status).toBe(200)
  })

  test.each([
    [{ host: 'oncall.example', origin: 'https://oncall.example' }, 201],
    [{ host: '127.0.0.1:8000', origin: 'https://oncall.example' }, 201],
    [{ host: 'oncall.example', origin: 'http://oncall.example:81' }, 403],
    [{ host: '127.0.0.1:8000', origin: 'https://other.example' }, 403]
  ])('changes something behind a proxy for %j', async (headers, expected) => {
    const own = await serve({ limits: { publicOrigin: 'https://oncall.example' } })
    const person = await administrator(own)
    expect((await own.postJson(bases, { name: 'n' }, { ...person.session, ...headers })).status).toBe(expected)
    await own.close()
  })

  test('of a person is no way for a page of another site to sign them in as somebody else', async () => {
    const headers = { origin: 'https://evil.example' }
    expect((await served.postJson('/api/v1/auth/login', credentials, headers)).status).toBe(403)
  })
})

describe('a key', () => {
  test('does what its scopes say, from any page and under any name, for no browser sends it by itself', async () => {
    const headers = { ...(await admin.key('ingest')), origin: 'https://tool.example', host: 'oncall.example' }
    expect((await served.postJson(bases, { name: 'n' }, headers)).status).toBe(201)
    expect(await served.postJson('/api/v1/retrieval', { query: 'q' }, headers)).toMatchObject({
      status: 403,
      body: { error: { code: 'AUTH_FORBIDDEN', message: 'This needs a key with the scope retrieve.' } }
    })
  })

  test('is shown once, listed without itself, and dead at once when it is revoked', async () => {
    const made = await served.postJson('/api/v1/api-keys', { name: 'ci', scopes: ['retrieve'] }, admin.session)
    const { id, key } = made.body as { id: string; key: string }
    expect([made.status, key]).toEqual([201, expect.stringMatching(/^oncall_/)])
    const headers = { authorization: `bearer ${key}` }
    expect((await served.ask(me, { headers })).body).toMatchObject({ via: 'api-key' })
    const listed = await served.ask('/api/v1/api-keys', { headers: admin.session })
    expect(JSON.stringify(listed.body)).toContain(id)
    expect(JSON.stringify(listed.body)).not.toContain(key)
    const revoked = await served.ask(`/api/v1/api-keys/${id}`, { method: 'DELETE', headers: admin.session })
    expect(revoked).toMatchObject({ status: 204, body: '' })
    expect((await served.ask(me, { headers })).status).toBe(401)
  })

  test('that does not work is not made up for by a session', async () => {
    const headers = { ...admin.session, authorization: 'Bearer oncall_gone' }
    expect((await served.ask(bases, { headers })).status).toBe(401)
  })

  test('may not do what takes a person', async () => {
    const headers = await admin.key('admin', 'ingest', 'retrieve', 'alerts')
    expect(await served.ask('/api/v1/api-keys', { headers })).toMatchObject({
      status: 403,
      body: { error: { message: 'Only a person who has signed in may do this, not a key.' } }
    })
    expect((await served.ask('/api/v1/users', { headers })).status).toBe(200)
  })
})

describe('failed attempts to sign in', () => {
  test('are limited, and the answer says how long to wait', async () => {
    const own = await serve()
    await administrator(own)
    const wrong = () => own.postJson('/api/v1/auth/login', { username: 'admin', password: 'wrong' })
    for (let attempt = 0; attempt < 5; attempt++) expect((await wrong()).status).toBe(401)
    const refused = await wrong()
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await own.close()
  })
})

describe('GET /metrics', () => {
  test('is read on this machine, and elsewhere with an administrator’s credentials alone', async () => {
    await served.ask('/api/v1/documents/nothing', { headers: admin.session })
    const here = await served.ask('/metrics')
    expect([here.status, here.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain; version=/)])
    expect(here.body).toMatch(
      /oncall_http_requests_total\{method="GET",route="\/api\/v1\/documents\/:id",status="404"\} \d+/
    )
    expect(here.body).toContain('oncall_http_request_duration_seconds_bucket')
    const bob = await member(served)
    const from = async (headers: object) =>
      (await served.server.inject({ url: '/metrics', remoteAddress: '10.0.0.7', headers: { ...headers } })).statusCode
    expect(await from({})).toBe(401)
    expect(await from(await bob.key('retrieve'))).toBe(403)
    expect(await from(await admin.key('admin'))).toBe(200)
  })
})
