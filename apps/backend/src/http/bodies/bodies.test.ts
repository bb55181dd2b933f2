import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, serve, type Served } from '../test-material/served.ts'

let served: Served
let session: Readonly<Record<string, string>>
beforeAll(async () => {
  served = await serve()
  session = (await administrator(served)).session
})
afterAll(() => served.close())

const post = (path: string, headers: Readonly<Record<string, string>>, body?: string | Uint8Array) =>
  served.ask(path, { method: 'POST', headers: { ...session, ...headers }, ...(body === undefined ? {} : { body }) })
const retrieval = '/api/v1/retrieval'
const messageOf = (body: unknown): string => (body as { error: { message: string } }).error.message

describe('a JSON body', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])(
    'is taken as %s, also with a byte order mark',
    async (type) => {
      expect((await post(retrieval, { 'content-type': type }, '\uFEFF{"query":"磁盘满了"}')).status).toBe(200)
    }
  )

  test.each([
    [
      'another character set',
      'application/json; charset=gbk',
      '{"query":"q"}',
      415,
      /in UTF-8 only.*application\/json/
    ],
    ['no type', '', '{"query":"q"}', 415, /application\/json/],
    ['a form', 'multipart/form-data; boundary=b', '--b--', 415, /application\/json/],
    ['bytes of GBK', 'application/json', Buffer.from('7b227175657279223a22b4c5c5cc227d', 'hex'), 400, /valid UTF-8/],
    ['half a surrogate pair', 'application/json', Buffer.from('7b2261223a22eda080227d', 'hex'), 400, /valid UTF-8/]
  ])('is refused as %s, in words that say what is taken', async (_what, type, body, status, message) => {
    const answer = await post(retrieval, type === '' ? {} : { 'content-type': type }, body)
    expect(answer.status).toBe(status)
    expect(messageOf(answer.body)).toMatch(message)
  })

  test('that is compressed is not unfolded', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const answer = await post(retrieval, headers, gzipSync('{"query":"q"}'))
    expect([answer.status, messageOf(answer.body)]).toEqual([415, expect.stringContaining('not taken compressed')])
  })

  test('that is too large is refused by its length before it comes, and by its size without one', async () => {
    const socket = connect(served.port, '127.0.0.1')
    socket.write(
      `POST ${retrieval} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${session.cookie}\r\n` +
        'content-type: application/json\r\ncontent-length: 2000000\r\n\r\n{'
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    expect(head.toString()).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    expect((await post(retrieval, chunked, JSON.stringify({ query: 'q'.repeat(2_000_000) }))).status).toBe(413)
  })

  test('that ends in the middle is no fault of ours', async () => {
    const socket = connect(served.port, '127.0.0.1')
    socket.end(
      `POST ${retrieval} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-request-id: cut-off\r\ncookie: ${session.cookie}\r\n` +
        'content-type: application/json\r\ncontent-length: 20\r\n\r\n{"query"'
    )
    await once(socket.resume(), 'close')
    await expect.poll(() => served.events().filter((event) => event.requestId === 'cut-off').length).toBeGreaterThan(0)
    expect(served.events().filter((event) => event.requestId === 'cut-off' && event.level === 'error')).toEqual([])
  })
})

describe('what is wrong with a request is told in plain words', () => {
  test.each([
    ['/api/v1/knowledge-bases', {}, 'name: is missing'],
    ['/api/v1/knowledge-bases', { name: 7 }, 'name: must be a text'],
    ['/api/v1/knowledge-bases', { name: '  ' }, 'name: must not be empty'],
    ['/api/v1/knowledge-bases', { name: 'n', colour: 1 }, 'colour: is not known here'],
    ['/api/v1/knowledge-bases', [], 'body: must be an object'],
    ['/api/v1/api-keys', { name: 'n', scopes: ['root'] }, 'scopes.0: must be retrieve or ingest or alerts or admin'],
    ['/api/v1/api-keys', { name: 'n', scopes: 'admin' }, 'scopes: must be a list'],
    [
      '/api/v1/auth/login',
      { username: 'u', password: 'p'.repeat(2_000) },
      'password: must have at most 1000 characters'
    ],
    [retrieval, { query: 'q', topK: '3' }, 'topK: must be a whole number'],
    [
      retrieval,
      { query: 'q', filters: { documentIds: [''] } },
      'filters.documentIds.0: must have at least 1 character'
    ],
    [retrieval, { query: 'q', filters: { metadata: { '': 1 } } }, 'filters.metadata.: has a key that is not allowed']
  ])('%s with %j', async (path, body, problem) => {
    const answer = await post(path, { 'content-type': 'application/json' }, JSON.stringify(body))
    expect(answer.status).toBe(400)
    expect(messageOf(answer.body)).toBe(`The request is not valid. ${problem}.`)
  })

  test.each([
    ['limit=0', 'limit: must be at least 1'],
    ['limit=201', 'limit: must be at most 200'],
    ['limit=ten', 'limit: must be a whole number'],
    ['limit=1&limit=2', 'limit: must be a text'],
    ['cursor=', 'cursor: must have at least 1 character'],
    ['page=2', 'page: is not known here']
  ])('in the address: ?%s', async (query, problem) => {
    const answer = await served.ask(`/api/v1/knowledge-bases?${query}`, { headers: session })
    expect([answer.status, messageOf(answer.body)]).toEqual([400, `The request is not valid. ${problem}.`])
  })

  test('of many faults it names three, lists fifty and repeats no value or long name', async () => {
    const body = Object.fromEntries(Array.from({ length: 900 }, (_, each) => [`${each}${'k'.repeat(200)}`, 'hunter22']))
    const answer = await post('/api/v1/knowledge-bases', { 'content-type': 'application/json' }, JSON.stringify(body))
    const { error } = answer.body as { error: { message: string; details: { issues: unknown[] } } }
    expect(error.details.issues).toHaveLength(50)
    expect(error.message.length).toBeLessThan(500)
    expect(JSON.stringify(answer.body)).not.toContain('hunter22')
  })
})
