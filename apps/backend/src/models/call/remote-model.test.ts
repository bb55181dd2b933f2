import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  breakOff,
  flood,
  json,
  type ModelServer,
  raw,
  stall,
  stallAfterHeaders,
  startModelServer,
  status
} from '../test-material/model-server.ts'
import { everythingIn, portErrorOf, remoteFailureOf } from '../test-material/rejection.ts'
import { RemoteModel } from './remote-model.ts'

const KEY = 'sk-very-secret-0123456789'
const answer = json({ fine: true })

let server: ModelServer
let model: RemoteModel

beforeEach(async () => {
  server = await startModelServer(answer)
  model = modelAt(`${server.origin}/v1/rerank`)
})
afterEach(async () => {
  model.close()
  await server.close()
})

function modelAt(url: string, { timeoutMs = 10_000, apiKey = KEY } = {}): RemoteModel {
  return new RemoteModel({ url, model: 'a-model', apiKey, timeoutMs })
}

function call(target = model, signal?: AbortSignal, maxBytes = 100_000): Promise<unknown> {
  return target.use('try', (ask) => ask({ body: { text: '网关' }, maxBytes }), signal)
}

describe('a call', () => {
  it('posts JSON with the key as a bearer token, and gives the JSON of the answer', async () => {
    expect(await call()).toEqual({ fine: true })
    expect(server.arrivals).toMatchObject([
      { path: '/v1/rerank', body: { text: '网关' }, headers: { authorization: `Bearer ${KEY}` } }
    ])
  })

  it('sends no authorization where there is no key', async () => {
    await call(modelAt(server.origin, { apiKey: '' }))
    expect(server.arrivals[0]!.headers).not.toHaveProperty('authorization')
  })

  it.for([500, 502, 503, 504, 529, 408, 429])('is tried again after status %i', async (code) => {
    server.script(status(code))
    expect(await call()).toEqual({ fine: true })
    expect(server.arrivals).toHaveLength(2)
  })

  it('is tried again when the connection breaks in the middle of the answer', async () => {
    server.script(breakOff)
    expect(await call()).toEqual({ fine: true })
    expect(server.arrivals).toHaveLength(2)
  })

  it('waits longer from try to try, and gives up after four', async () => {
    server.script(...Array.from({ length: 4 }, () => status(503, { body: '{"error":{"code":"overloaded"}}' })))
    const error = await portErrorOf(call())
    expect(error).toMatchObject({ failure: 'unavailable', operation: 'try', subject: 'a-model' })
    expect(error.message).toBe('try: the server answered with status 503, 4 times tried (a-model)')
    expect(remoteFailureOf(error)).toMatchObject({ status: 503, code: 'overloaded', attempts: 4, kind: 'busy' })
    const [first, second, third] = server.arrivals.slice(1).map((each, i) => each.at - server.arrivals[i]!.at)
    expect(first).toBeGreaterThanOrEqual(120)
    expect(second).toBeGreaterThanOrEqual(245)
    expect(third).toBeGreaterThanOrEqual(495)
  })

  it.for([400, 401, 403, 404, 409, 422])('is not tried again after status %i', async (code) => {
    server.script(status(code))
    expect(remoteFailureOf(await portErrorOf(call())).status).toBe(code)
    expect(server.arrivals).toHaveLength(1)
  })

  it('waits as many seconds as Retry-After says', async () => {
    server.script(status(429, { headers: { 'retry-after': '1' } }))
    await call()
    const [first, second] = server.arrivals
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(990)
  })

  it('waits until the date of Retry-After', async () => {
    // A date has whole seconds: two seconds ahead is more than one.
    const date = new Date(Date.now() + 2_000).toUTCString()
    server.script(status(503, { headers: { 'retry-after': date } }))
    await call()
    const [first, second] = server.arrivals
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(900)
  })

  it('fails at once where Retry-After is beyond the deadline', async () => {
    server.script(status(429, { headers: { 'retry-after': '3600' } }))
    const started = performance.now()
    expect(remoteFailureOf(await portErrorOf(call())).retryAfterMs).toBe(3_600_000)
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(server.arrivals).toHaveLength(1)
  })

  it.for([
    ['never answers', stall],
    ['sends headers and never a body', stallAfterHeaders]
  ] as const)('ends at its deadline where the server %s', async ([, behaviour]) => {
    server.script(behaviour)
    const started = performance.now()
    const error = await portErrorOf(call(modelAt(server.origin, { timeoutMs: 300 })))
    expect(error.message).toBe('try: there was no whole answer within 300 ms (a-model)')
    expect(performance.now() - started).toBeLessThan(2_000)
    await server.arrivals[0]!.hungUp
  })

  it('keeps to its deadline over all tries together', async () => {
    server.script(status(503), status(503), stall)
    const started = performance.now()
    expect(remoteFailureOf(await portErrorOf(call(modelAt(server.origin, { timeoutMs: 900 })))).kind).toBe('timed-out')
    expect(performance.now() - started).toBeLessThan(1_500)
  })

  it('says when nobody listens', async () => {
    const free = await portOfNobody()
    const error = await portErrorOf(call(modelAt(`http://127.0.0.1:${free}/`, { timeoutMs: 5_000 })))
    expect(remoteFailureOf(error)).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED', attempts: 4 })
  })
})

describe('an answer', () => {
  it('that goes on and on is refused at its limit, and the request ended', async () => {
    server.script(flood)
    const error = await portErrorOf(call())
    expect(error.message).toContain('the answer is larger than 100000 bytes')
    await server.arrivals[0]!.hungUp
  })

  it('is measured as it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, ' '))
    server.script(({ response }) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    expect((await portErrorOf(call())).message).toContain('larger than')
  })

  it('of exactly its limit is taken', async () => {
    server.script(raw(`"${'x'.repeat(998)}"`, 'application/json'))
    expect(await call(model, undefined, 1_000)).toHaveLength(998)
  })

  it.for([
    ['a page', '<html>502 Bad Gateway, token hunter2</html>'],
    ['NaN', '{"results":[{"index":0,"relevance_score":NaN}]}'],
    ['half a body', '{"a": "hunter2'],
    ['nothing', '']
  ])('that is %s instead of JSON is refused without being quoted', async ([, text]) => {
    server.script(raw(text!, 'text/html'))
    const error = await portErrorOf(call())
    expect(error.message).toBe('try: the answer is not JSON (a-model)')
    expect(everythingIn(error)).not.toContain('hunter2')
  })
})

describe('a redirect', () => {
  it.for([301, 302, 303, 307, 308])('with status %i is not followed: the key goes to no other host', async (code) => {
    const elsewhere = await startModelServer(answer)
    server.script(status(code, { headers: { location: `${elsewhere.origin}/v1/rerank` } }))
    const error = await portErrorOf(call())
    expect(remoteFailureOf(error)).toMatchObject({ kind: 'redirected', status: code })
    expect(elsewhere.arrivals).toHaveLength(0)
    await elsewhere.close()
  })
})

describe('secrets', () => {
  it('neither the key nor what the server wrote is in an error', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key: ${KEY}; hunter2`, code: KEY, type: KEY } })
    server.script(status(401, { body, headers: { 'x-echo': KEY } }))
    const error = await portErrorOf(call())
    expect(everythingIn(error)).not.toContain(KEY)
    expect(everythingIn(error)).not.toContain('hunter2')
    expect(error.hint).toContain('API key')
  })

  it('the key is not in what is printed of the model', () => {
    expect(everythingIn(model)).not.toContain(KEY)
  })

  it('a key that no header can hold is refused without being repeated', () => {
    expect(() => modelAt(server.origin, { apiKey: 'sk-a\nb-密钥' })).toThrow(
      /^configure model: its API key holds characters that no key has \(a-model\)$/
    )
  })

  it.for(['ftp://example.com', 'not an address', 'http://me:hunter2@example.com/'])(
    'the address %s is refused without being repeated',
    (url) => {
      expect(() => modelAt(url)).toThrow(
        /^configure model: its base URL is no http or https address without credentials \(a-model\)$/
      )
    }
  )

  it('a long or odd code stays out of the cause', async () => {
    server.script(status(400, { body: JSON.stringify({ code: 'a sentence with hunter2' }) }))
    expect(everythingIn(await portErrorOf(call()))).not.toContain('hunter2')
  })
})

describe('the caller', () => {
  it('ends the request at the server by its signal, and gets its own reason', async () => {
    server.script(stall)
    const caller = new AbortController()
    const reason = new Error('the caller left')
    const left = until(() => server.arrivals.length === 1).then(() => {
      caller.abort(reason)
      return performance.now()
    })
    await expect(call(model, caller.signal)).rejects.toBe(reason)
    await server.arrivals[0]!.hungUp
    expect(performance.now() - (await left)).toBeLessThan(500)
  })

  it('need not wait for the next try', async () => {
    server.script(status(429, { headers: { 'retry-after': '8' } }))
    const signal = AbortSignal.timeout(200)
    const started = performance.now()
    await expect(call(model, signal)).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('gets `closed` for what is under way when the model is closed, and for what comes after', async () => {
    server.script(stall)
    const pending = portErrorOf(call())
    await until(() => server.arrivals.length === 1)
    model.close()
    expect((await pending).failure).toBe('closed')
    await server.arrivals[0]!.hungUp
    expect((await portErrorOf(call())).failure).toBe('closed')
  })
})

describe('the state', () => {
  it('is how the last call went', async () => {
    const states = [model.state]
    await call()
    states.push(model.state)
    server.script(status(401))
    await portErrorOf(call())
    states.push(model.state)
    await call()
    states.push(model.state)
    expect(states).toEqual(['cold', 'warm', 'failed', 'warm'])
  })

  it('does not suffer from one request that the server refuses, nor from a caller that leaves', async () => {
    await call()
    server.script(status(422), stall)
    await portErrorOf(call())
    await expect(call(model, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(model.state).toBe('warm')
  })

  it('is warm after one shared call, and warming again asks nobody', async () => {
    const warm = (): Promise<void> => model.warm(() => call())
    await Promise.all([warm(), warm(), warm()])
    await warm()
    expect(server.arrivals).toHaveLength(1)
    expect(model.state).toBe('warm')
  })

  it('is failed when even the probe is refused, and the next warming asks again', async () => {
    const warm = (): Promise<void> => model.warm(() => call())
    server.script(status(400))
    await expect(warm()).rejects.toThrow(/status 400/)
    expect(model.state).toBe('failed')
    await warm()
    expect(model.state).toBe('warm')
  })
})

async function portOfNobody(): Promise<number> {
  const held: Server = createServer()
  held.listen(0, '127.0.0.1')
  await once(held, 'listening')
  const { port } = held.address() as AddressInfo
  held.close()
  await once(held, 'close')
  return port
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
