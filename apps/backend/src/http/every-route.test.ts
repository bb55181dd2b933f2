import { type Route, routes } from '@oncall-agent/api-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDescription } from './description/openapi.ts'
import { baseOf } from './test-material/fake-knowledge.ts'
import { administrator, member, serve, type Served, type SignedInPerson } from './test-material/served.ts'

interface Call {
  readonly method: string
  /** With `{id}` for a parameter. */
  readonly path: string
}

type Headers = Readonly<Record<string, string>>

let served: Served
let calls: readonly Call[]
let everything: Headers
let admin: SignedInPerson
let nothing: Headers
beforeAll(async () => {
  served = await serve()
  admin = await administrator(served)
  everything = admin.session
  // No route takes a key for alerts yet.
  nothing = await (await member(served)).key('alerts')
  const { paths } = (await served.ask('/openapi.json')).body as OpenApiDescription
  calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path }))
  )
})
afterAll(() => served.close())

const routeOf = ({ method, path }: Call): Route => {
  const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const route = Object.values<Route>(routes).find((each) => each.method === method && each.path === pattern)
  if (!route) throw new Error(`${method} ${path} is not in the table`)
  return route
}

const closed = () => calls.filter((each) => routeOf(each).access !== 'anyone')
const told = ({ method, path }: Call, status: number, code?: unknown) => `${method} ${path}: ${status} ${code ?? ''}`
const codeOf = (body: unknown): unknown => (body as { error?: { code?: string } }).error?.code

async function call({ method, path }: Call, id: string, headers: Headers, body?: string) {
  return served.ask(path.replaceAll(/\{\w+\}/g, id), { method, headers, ...(body === undefined ? {} : { body }) })
}

describe('every route of the description', () => {
  test('there are as many as the table has', () => {
    expect(calls).toHaveLength(Object.keys(routes).length)
    expect(closed().length).toBeGreaterThan(30)
  })

  test('is closed to who shows no credentials, with a challenge; the measurements are open to this machine', async () => {
    const open = closed().filter((each) => routeOf(each).local)
    expect(open.map(({ path }) => path)).toEqual(['/metrics'])
    for (const each of closed().filter((other) => !open.includes(other))) {
      const { status, body, headers } = await call(each, 'x', {})
      expect(told(each, status, codeOf(body))).toBe(told(each, 401, 'AUTH_REQUIRED'))
      expect(headers['www-authenticate']).toBe('Bearer realm="OncallAgent"')
    }
  })

  test.each([
    ['a key that never was', { authorization: 'Bearer oncall_nonsense' }],
    ['a key that is no text of a key', { authorization: `Bearer ${'é'.repeat(3)}x${'y'.repeat(4_000)}` }],
    ['a session that never was', { cookie: 'oncall_session=nonsense; other=1' }],
    ['another scheme', { authorization: 'Basic YTpi' }]
  ])('is closed to %s', async (_what, headers) => {
    for (const each of closed().filter((other) => !routeOf(other).local)) {
      const { status, body } = await call(each, 'x', headers)
      expect(told(each, status, codeOf(body))).toBe(told(each, 401, 'AUTH_REQUIRED'))
    }
  })

  test('refuses a key without the scope before it reads any body', async () => {
    for (const each of closed()) {
      const broken = ['GET', 'DELETE'].includes(each.method) ? undefined : '{"broken'
      const { status, body } = await call(each, 'x', { ...nothing, 'content-type': 'application/json' }, broken)
      expect(told(each, status, codeOf(body))).toBe(told(each, 403, 'AUTH_FORBIDDEN'))
    }
  })

  test.each([
    '%00',
    '..%2F..%2Fetc%2Fpasswd',
    '%E0%A4%A',
    'x'.repeat(300),
    "'%20OR%201=1--",
    '%F0%9F%94%A5',
    '%5Cx',
    '-1'
  ])('takes the malformed id %s as 400 or 404, never as a fault of ours', async (id) => {
    for (const each of calls.filter(({ path }) => path.includes('{'))) {
      const route = routeOf(each)
      const headers = { ...everything, 'content-type': 'application/json' }
      const { status, body } = await call(each, id, headers, route.body ? '{}' : undefined)
      // What takes a form asks for one before it looks for the id.
      const fine = route.form ? [400, 404, 415] : [400, 404]
      expect(fine, told(each, status, codeOf(body))).toContain(status)
    }
  })

  test('answers a person who has what it takes', async () => {
    for (const each of calls.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
      const { status } = await call(each, '', everything)
      expect(told(each, status)).toBe(told(each, 200))
    }
  })

  test('takes a name as long as names may be, in any script', async () => {
    const name = '值'.repeat(64)
    await served.auth.operator.create({ username: name, password: 'correct horse battery', role: 'member' })
    const path = `/api/v1/knowledge-bases/${baseOf(admin.userId)}/readers/${encodeURIComponent(name)}`
    const added = await served.ask(path, { method: 'PUT', headers: admin.session })
    expect(added).toMatchObject({ status: 200, body: { username: name } })
  })

  test('ignores a header that only tools with faults send', async () => {
    const { status } = await served.ask('/api/v1/auth/logout', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '0' }
    })
    expect(status).toBe(204)
  })
})
