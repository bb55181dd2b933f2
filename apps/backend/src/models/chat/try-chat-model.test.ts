import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Behaviour,
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
import { tryChatModel } from './try-chat-model.ts'

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const pieces = (...deltas: readonly object[]): string => deltas.map((delta) => event({ choices: [{ delta }] })).join('')
const ended = `${event({ choices: [{ delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`
const completion = (message: object) => raw(`${pieces({ role: 'assistant' }, message)}${ended}`, 'text/event-stream')
const called = completion({ content: null, tool_calls: [{ index: 0, id: '1', function: { name: 'ping' } }] })
const answered = completion({ content: 'pong' })
/** As servers of models without tools do. */
const withoutTools: Behaviour = (exchange) =>
  (exchange.body.tools === undefined
    ? answered
    : status(400, { body: '{"error":{"message":"m does not support tools","code":"invalid_request_error"}}' }))(
    exchange
  )

const limits = { temperature: 0.2, contextTokens: 8_192, maxOutputTokens: 4_500 }

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer(called)
})
afterEach(() => server.close())

const attempt = (changed: object = {}, signal = new AbortController().signal) =>
  tryChatModel(
    { baseUrl: `${server.origin}/v1/`, model: 'm', apiKey: 'k-secret', ...limits, timeoutMs: 5_000, ...changed },
    signal
  )

describe('a chat model that is tried', () => {
  test('is asked once, as the agent asks, with a tool and the key', async () => {
    expect(await attempt()).toBe('called')
    expect(server.arrivals).toHaveLength(1)
    const { path, headers, body } = server.arrivals[0]!
    expect([path, headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer k-secret'])
    expect(body).toMatchObject({
      model: 'm',
      temperature: 0.2,
      stream: true,
      max_tokens: 4_096,
      tools: [{ function: { name: 'ping' } }],
      tool_choice: 'auto'
    })
  })

  test.each<[string, Behaviour, string]>([
    ['words instead of a call', answered, 'answered'],
    ['no tools at all', withoutTools, 'refuses-tools'],
    ['the answer of another protocol', json({ output: { text: 'pong' } }), 'not-a-completion'],
    ['a completion in one piece', json({ choices: [{ message: { content: 'pong' } }] }), 'not-a-completion'],
    ['a stream without an end', raw(pieces({ content: 'pong' }), 'text/event-stream'), 'not-a-completion'],
    ['a stream of something else', raw(event({ output: 'pong' }), 'text/event-stream'), 'not-a-completion'],
    ['a message that is empty', completion({ content: null }), 'not-a-completion'],
    ['JSON that is no object', json('pong'), 'not-a-completion']
  ])('that gives %s is told from the others', async (_what, behaviour, trial) => {
    server.script(behaviour, behaviour)
    expect(await attempt()).toBe(trial)
  })

  test('gets the limit of tokens by the name that it knows', async () => {
    await attempt({ model: 'o3-mini' })
    expect(server.arrivals[0]?.body).toMatchObject({ max_completion_tokens: 4_096 })
    expect(server.arrivals[0]?.body).not.toHaveProperty('max_tokens')
  })

  test.each<[string, Behaviour, object]>([
    ['refuses the key', status(401), { kind: 'unauthorised' }],
    ['does not know the address', status(404), { kind: 'unknown-address' }],
    [
      'does not know the model',
      status(404, { body: '{"error":{"code":"model_not_found"}}' }),
      { kind: 'unknown-address', code: 'model_not_found' }
    ],
    ['refuses everything', status(400), { kind: 'refused' }],
    ['redirects', status(302, { headers: { location: 'http://127.0.0.1:1/' } }), { kind: 'redirected' }],
    ['is a page', raw('<!doctype html><title>Sign in</title>', 'text/html'), { kind: 'unreadable' }],
    ['never stops', flood, { kind: 'unreadable' }],
    ['breaks off', breakOff, { kind: 'unreachable' }],
    ['says nothing', stall, { kind: 'timed-out' }],
    ['sends no body', stallAfterHeaders, { kind: 'timed-out' }]
  ])('whose server %s is a failure of that kind', async (_what, behaviour, failure) => {
    server.script(...Array.from({ length: 4 }, () => behaviour))
    await expect(attempt({ timeoutMs: 2_500 })).rejects.toMatchObject(failure)
  })

  test('ends with the signal, at the server too', async () => {
    server.script(stall)
    const stop = new AbortController()
    const trial = attempt({}, stop.signal)
    await expect.poll(() => server.arrivals.length).toBe(1)
    stop.abort(new Error('gone'))
    await expect(trial).rejects.toThrow('gone')
    await server.arrivals[0]!.hungUp
  })
})
