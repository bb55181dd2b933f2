import { once } from 'node:events'
import { connect } from 'node:net'
import { AppError, errorBodySchema, type ErrorCode, errorCatalogue, errorCodes } from '@oncall-agent/api-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve, type Served } from './test-material/served.ts'

let served: Served
let fail: () => Promise<never>
beforeAll(async () => {
  served = await serve({ retrieve: () => fail() })
})
afterAll(() => served.close())

const json = { 'content-type': 'application/json' }

describe('every error over HTTP has the one shape', () => {
  test.each([
    ['an address that is not there', '/nowhere', {}, 404, 'NOT_FOUND'],
    ['an address below the prefix that is not there', '/api/v1/nowhere', { method: 'POST' }, 404, 'NOT_FOUND'],
    ['an address that cannot be decoded', '/api/v1/retrieval/runs/%E0%A4%A', {}, 400, 'VALIDATION_FAILED'],
    ['an id that is too long', `/api/v1/retrieval/runs/${'x'.repeat(300)}`, {}, 400, 'VALIDATION_FAILED'],
    ['a method that the path does not take', '/api/v1/retrieval', {}, 405, 'METHOD_NOT_ALLOWED'],
    [
      'a method that the path does not take, with a body',
      '/health',
      { method: 'PUT', headers: { 'content-type': 'text/x' }, body: 'x' },
      405,
      'METHOD_NOT_ALLOWED'
    ],
    ['bad JSON', '/api/v1/retrieval', { method: 'POST', headers: json, body: '{"query":' }, 400, 'VALIDATION_FAILED'],
    [
      'JSON that poisons a prototype',
      '/api/v1/retrieval',
      { method: 'POST', headers: json, body: '{"__proto__":{}}' },
      400,
      'VALIDATION_FAILED'
    ],
    ['an empty body', '/api/v1/retrieval', { method: 'POST', headers: json }, 400, 'VALIDATION_FAILED'],
    ['no body and no type', '/api/v1/retrieval', { method: 'POST' }, 400, 'VALIDATION_FAILED'],
    [
      'a form',
      '/api/v1/retrieval',
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'query=q' },
      415,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'plain text',
      '/api/v1/retrieval',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"q"}' },
      415,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'too large a body',
      '/api/v1/retrieval',
      { method: 'POST', headers: json, body: JSON.stringify({ query: 'q'.repeat(1_100_000) }) },
      413,
      'PAYLOAD_TOO_LARGE'
    ]
  ])('%s', async (_what, path, options, status, code) => {
    const answer = await served.ask(path, options)
    const { error } = errorBodySchema.strict().parse(answer.body)
    expect([answer.status, error.code]).toEqual([status, code])
    expect(error.requestId).toBe(answer.headers['x-request-id'])
    expect(answer.headers['content-type']).toContain('application/json')
  })

  test('a refused method is told with the methods that are taken', async () => {
    expect((await served.ask('/api/v1/retrieval')).headers.allow).toBe('POST')
    expect((await served.ask('/health', { method: 'DELETE' })).headers.allow).toBe('GET, HEAD')
  })

  test('HEAD is answered where GET is', async () => {
    expect(await served.ask('/health', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })

  test.each(errorCodes)('what a room throws as %s keeps its status and message', async (code: ErrorCode) => {
    fail = async () => {
      throw new AppError(code, { operation: 'try' })
    }
    const { status, body } = await served.postJson('/api/v1/retrieval', { query: 'q' })
    const { message } = errorCatalogue[code]
    expect([status, body]).toMatchObject([errorCatalogue[code].status, { error: { code, message: message.en } }])
  })

  test.each([
    ['an error of a library', new Error('SQLITE_BUSY at /home/bob/business.db')],
    ['an error that pretends to a status', Object.assign(new Error('hunter22'), { statusCode: 502 })],
    ['a text', 'hunter22']
  ])('%s becomes INTERNAL, says nothing and is logged with its cause', async (_what, thrown) => {
    fail = async () => {
      throw thrown
    }
    const { status, body, headers } = await served.postJson('/api/v1/retrieval', { query: 'q' })
    expect([status, body]).toEqual([
      500,
      { error: { code: 'INTERNAL', message: 'Something went wrong here.', requestId: headers['x-request-id'] } }
    ])
    const logged = served
      .events()
      .find((event) => event.requestId === headers['x-request-id'] && event.level === 'error')
    expect(logged).toMatchObject({
      code: 'INTERNAL',
      err: { cause: { message: expect.stringMatching(/SQLITE_BUSY|hunter22/) } }
    })
  })

  test.each([
    ['bytes that are no HTTP', 'hello\r\n\r\n', 400],
    ['a request without a Host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    [
      'an expectation that nobody knows',
      'GET /x HTTP/1.1\r\nhost: localhost\r\nexpect: x\r\nconnection: close\r\n\r\n',
      404
    ]
  ])('%s', async (_what, sent, status) => {
    const socket = connect(served.port, '127.0.0.1')
    socket.write(sent)
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    await once(socket, 'close')
    const [head = '', body = ''] = Buffer.concat(parts).toString().split('\r\n\r\n')
    const { error } = errorBodySchema.parse(JSON.parse(body))
    expect(head).toMatch(new RegExp(`^HTTP/1[.]1 ${status} `))
    expect(error.code).toBe(status === 404 ? 'NOT_FOUND' : 'VALIDATION_FAILED')
    expect(head).toContain(`\r\nx-request-id: ${error.requestId}\r\n`)
  })
})

describe('a request id', () => {
  test.each(['trace-7f.a:1', 'x'.repeat(128)])('of the caller is kept when it is sane: %s', async (id) => {
    expect((await served.ask('/health', { headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id)
  })

  test.each(['', 'a b', '{"a":1}', 'x'.repeat(129)])('of the caller is replaced when it is not: %s', async (id) => {
    const given = (await served.ask('/health', { headers: { 'x-request-id': id } })).headers['x-request-id']
    expect(given).toMatch(/^[\da-f-]{36}$/)
  })

  test('is in the one line that a request is logged with, and no query is', async () => {
    await served.ask('/health?token=hunter22', { headers: { 'x-request-id': 'r-77' } })
    await expect
      .poll(() => served.events().filter((event) => event.requestId === 'r-77'))
      .toEqual([expect.objectContaining({ method: 'GET', route: '/health', status: 200, tookMs: expect.any(Number) })])
    expect(JSON.stringify(served.events().filter((event) => event.requestId === 'r-77'))).not.toContain('token')
  })
})
