import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chatRequestFields, outputTokensOf } from '../../models/index.ts'
import { answering, type Answering, toolOf } from '../test-material/answering.ts'
import {
  answersStatus,
  calls,
  type ChatModelServer,
  cutsOff,
  diesAfter,
  errsAfter,
  hangsUp,
  refuses,
  says,
  saysForever,
  saysNothing,
  saysSlowly,
  stalls,
  stallsAfter,
  startChatModelServer,
  thinks,
  trailsOff
} from '../test-material/chat-model-server.ts'

let server: ChatModelServer
beforeAll(async () => {
  server = await startChatModelServer(says('nothing is scripted'))
})
afterEach(() => server.reset())
afterAll(() => server.close())

function agent(options: Parameters<typeof answering>[0] = {}): Answering {
  server.requests.length = 0
  return answering({ baseUrl: server.baseUrl, ...options })
}

const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length

describe('an answer of the agent', () => {
  test('streams what the model says, and is stored as it was streamed', async () => {
    server.script(says('Restart ', 'it', '.'))
    const answer = await agent().ask()
    expect(answer).toMatchObject({ status: 'completed', content: 'Restart it.', mode: 'agent', failure: null })
    expect(answer.events.map((event) => event.type)).toEqual(['delta', 'delta', 'delta'])
    expect(answer.streamed).toBe(answer.content)
  })

  test('is asked for with the instructions, the history and the question, by the settings', async () => {
    server.script(says('Yes.'))
    const history = [
      { role: 'user', content: 'Is it down?' },
      { role: 'assistant', content: 'It is [1]. See `a[1]`.' }
    ] as const
    await agent({ settings: { maxOutputTokens: 300, temperature: 0.5 } }).ask({ history })
    const [{ body, headers }] = server.requests as [ChatModelServer['requests'][number]]
    expect(body).toMatchObject({ model: 'scripted', temperature: 0.5, max_tokens: 300, stream: true })
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(body.messages[2]?.content).toBe('It is. See `a[1]`.')
    expect(headers.authorization).toBe('Bearer key-of-the-tests')
    expect(body).not.toHaveProperty('stream_options')
  })

  test.each(['gpt-4o', 'o3-mini', 'gpt-5', 'gpt-5-chat-latest', 'qwen3'])(
    'sends the fields that the trial of the settings sends, and none besides: %s',
    async (model) => {
      server.usually(says('Yes.'))
      const { ask, parts } = agent({ tools: [toolOf('look', async () => ({ text: 'up' }))], settings: { model } })
      await ask()
      const { messages: _messages, tools: _tools, ...fields } = server.requests[0]!.body as Record<string, unknown>
      const { temperature } = parts.settings
      const shared = chatRequestFields(model, { temperature, outputTokens: outputTokensOf(parts.settings) })
      expect(fields).toEqual({ ...shared, tool_choice: 'auto' })
    }
  )

  test('sends no key where none is set', async () => {
    server.script(says('Yes.'))
    await agent({ settings: { apiKey: '' } }).ask()
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('leaves thoughts out, and says what the model says in place of an answer', async () => {
    server.script(thinks('The user wants …', 'Restart it.'))
    expect(await agent().ask()).toMatchObject({ content: 'Restart it.', status: 'completed' })
    server.script(says('\n<th', 'ink>The user [9] wants', ' …</thi', 'nk>\n\nRestart ', 'it, not <think>.'))
    expect(await agent().ask()).toMatchObject({ content: 'Restart it, not <think>.', removedMarkers: 0 })
    server.script(says('<thin', 'g>'))
    expect(await agent().ask()).toMatchObject({ content: '<thing>' })
    server.script(says('<thin'))
    expect(await agent().ask()).toMatchObject({ content: '<thin' })
    server.script(refuses('I can not help with that.'))
    expect(await agent().ask()).toMatchObject({ content: 'I can not help with that.', status: 'completed' })
  })

  test('goes on in a new paragraph after a call', async () => {
    server.script(calls([{ name: 'look', arguments: {} }], 'Let me look.'), says('It is up.'))
    const answer = await agent({ tools: [toolOf('look', async () => ({ text: 'up' }))] }).ask()
    expect(answer.content).toBe('Let me look.\n\nIt is up.')
    expect(answer.streamed).toBe(answer.content)
  })

  test.each([
    ['says nothing', saysNothing, 'SYSTEM_UNAVAILABLE', 'The chat model gave an empty answer.'],
    ['is not accepted', answersStatus(401), 'SYSTEM_UNAVAILABLE', 'The chat model did not accept the request'],
    ['is stalled', stalls, 'SYSTEM_UNAVAILABLE', 'The chat model stopped answering.']
  ])('fails when the model %s', async (_, conduct, code, message) => {
    server.script(conduct)
    const answer = await agent({ settings: { timeoutMs: 150 } }).ask()
    expect(answer).toMatchObject({ status: 'failed', content: '', failure: { code } })
    expect(answer.failure?.message).toContain(message)
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ['dies', diesAfter('Restart ', 'it'), 'SYSTEM_UNAVAILABLE'],
    ['trails off', trailsOff('Restart ', 'it'), 'SYSTEM_UNAVAILABLE'],
    ['reports an error', errsAfter('Restart ', 'it'), 'SYSTEM_UNAVAILABLE'],
    ['stalls', stallsAfter('Restart ', 'it'), 'SYSTEM_UNAVAILABLE'],
    ['comes to the limit of its tokens', cutsOff('Restart ', 'it'), 'LIMIT_REACHED']
  ])('keeps what is written when the model %s in the middle, and is not asked again', async (_, conduct, code) => {
    server.script(conduct)
    const answer = await agent({ settings: { timeoutMs: 300 } }).ask()
    expect(answer).toMatchObject({ status: 'partial', content: 'Restart it', failure: { code } })
    expect(answer.streamed).toBe('Restart it')
    expect(server.requests).toHaveLength(1)
    expect(JSON.stringify(answer)).not.toContain('10.0.0.1')
  })

  test('says why it ended in the language of the reader', async () => {
    server.script(diesAfter('重启'))
    const answer = await agent({ settings: { retries: 0 } }).ask({ language: 'zh' })
    expect(answer.failure).toEqual({ code: 'SYSTEM_UNAVAILABLE', message: '与对话模型的连接中断。' })
  })

  test('may take longer than the model may be silent', async () => {
    const tokens = Array.from({ length: 25 }, (_, n) => `${n} `)
    server.script(saysSlowly(60, ...tokens))
    const answer = await agent({ settings: { timeoutMs: 1_000 } }).ask()
    expect(answer).toMatchObject({ status: 'completed', content: tokens.join('') })
  })

  test('is bounded where the server of the model does not keep the bound that was asked for', async () => {
    server.script(saysForever('word '))
    const answer = await agent({ settings: { maxOutputTokens: 256 } }).ask()
    expect(answer).toMatchObject({ status: 'partial', failure: { code: 'LIMIT_REACHED' } })
    expect(answer.content.length).toBeLessThanOrEqual(256 * 16)
    await server.requests[0]?.hungUp
  })
})

describe('a server that floods', () => {
  test.each([
    ['one line that never ends', 200],
    ['the text of an error', 500]
  ])('with %s is hung up on', async (_, code) => {
    server.script(async ({ response }) => {
      response.writeHead(code, { 'content-type': 'text/event-stream' })
      const block = Buffer.alloc(1_000_000, 'x')
      response.write('data: ')
      while (!response.destroyed) await new Promise((resolve) => response.write(block, resolve))
    })
    const answer = await agent({ settings: { retries: 0 } }).ask()
    expect(answer).toMatchObject({ status: 'failed', content: '' })
    await server.requests[0]?.hungUp
  })
})

describe('a model that is busy or out of reach', () => {
  test.each([
    ['429', answersStatus(429)],
    ['500', answersStatus(500)],
    ['a broken connection', hangsUp]
  ])('is asked again after %s', async (_, conduct) => {
    server.script(conduct, conduct, says('Here I am.'))
    const { ask, modelCalls } = agent()
    expect(await ask()).toMatchObject({ status: 'completed', content: 'Here I am.' })
    expect(server.requests).toHaveLength(3)
    expect(modelCalls).toMatchObject([{ outcome: 'ok', attempts: 3 }])
  })

  test('is asked no more often than the settings say, and by nobody else', async () => {
    server.script(answersStatus(503), answersStatus(503), says('too late'))
    const { ask, modelCalls } = agent({ settings: { retries: 1 } })
    expect(await ask()).toMatchObject({ status: 'failed', failure: { code: 'SYSTEM_UNAVAILABLE' } })
    expect(server.requests).toHaveLength(2)
    expect(modelCalls).toMatchObject([{ outcome: 'failed', attempts: 2, firstMs: null }])
    await agent().ask()
  })

  test('is left alone as long as it asks for', async () => {
    server.script(answersStatus(429, '1'), says('Now.'))
    expect(await agent().ask()).toMatchObject({ content: 'Now.' })
    const [first, second] = server.requests
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_000)
  })

  test('is not waited for beyond the deadline', async () => {
    server.script(answersStatus(429, '3600'))
    const answer = await agent().ask()
    expect(answer).toMatchObject({ status: 'failed', failure: { code: 'SYSTEM_UNAVAILABLE' } })
    expect(server.requests).toHaveLength(1)
  })

  test('is asked again in a later step, although an earlier one had said something', async () => {
    server.script(calls([{ name: 'look', arguments: {} }], 'Looking.'), answersStatus(500), says('Up.'))
    const answer = await agent({ tools: [toolOf('look', async () => ({ text: 'up' }))] }).ask()
    expect(answer).toMatchObject({ status: 'completed', content: 'Looking.\n\nUp.' })
  })

  test('is not followed to another address, for the key would go along', async () => {
    server.script(({ response }) => void response.writeHead(307, { location: 'http://127.0.0.1:9/v1' }).end())
    expect(await agent().ask()).toMatchObject({ status: 'failed' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a model that failed', () => {
  test('is in the log with what was wrong, and not with what its server or its address said', async () => {
    const gone = await startChatModelServer(says('nobody hears it'))
    await gone.close()
    const away = answering({ baseUrl: gone.baseUrl, settings: { retries: 0 } })
    const { failure } = await away.ask()
    expect(failure?.message).toContain('can not be reached (chat.baseUrl)')
    expect(away.logged[0]?.fields).toMatchObject({
      causes: expect.arrayContaining([expect.stringContaining('ECONNREFUSED')])
    })
    const unknown = answering({ baseUrl: 'http://nowhere.invalid/v1', settings: { retries: 0 } })
    expect((await unknown.ask({ language: 'zh' })).failure?.message).toContain('无法连接对话模型')
    expect(JSON.stringify(unknown.logged[0]?.fields)).toMatch(/ENOTFOUND|EAI_AGAIN/)
    expect(JSON.stringify(unknown.logged[0]?.fields)).not.toContain('nowhere')
  })

  test('is not what a fault of ours looks like: that comes through', async () => {
    server.usually(says('Restart it.'))
    const { ask, logged, modelCalls } = agent()
    const fault = new TypeError('x is not a function')
    const onEvent = (): void => {
      throw fault
    }
    await expect(ask({}, { onEvent })).rejects.toThrow('x is not a function')
    expect(server.requests).toHaveLength(1)
    expect(logged).toEqual([])
    expect(modelCalls).toMatchObject([{ outcome: 'cancelled' }])
  })

  test.each([
    ['is down', answersStatus(503), 'failed'],
    ['refuses the key', answersStatus(401), 'failed'],
    ['is elsewhere', answersStatus(404), 'failed'],
    ['trails off', trailsOff('Restart'), 'failed'],
    ['refuses this request', answersStatus(400), 'refused'],
    ['refuses this length', answersStatus(413), 'refused'],
    ['does not end', saysForever('word '), 'refused']
  ])('tells whether the next request would fail, too: one that %s', async (_, conduct, outcome) => {
    server.usually(conduct)
    const { ask, modelCalls } = agent({ settings: { retries: 0, maxOutputTokens: 256 } })
    await ask()
    expect(modelCalls).toMatchObject([{ outcome }])
  })
})

describe('an answer that is stopped', () => {
  test('keeps what is written, and hangs up', async () => {
    server.script(stallsAfter('Restart ', 'it'))
    const stop = new AbortController()
    const onEvent = (event: { type: string; text?: string }): void => void (event.text?.endsWith('it') && stop.abort())
    const answer = await agent().ask({}, { signal: stop.signal, onEvent })
    expect(answer).toMatchObject({ status: 'partial', content: 'Restart it', failure: { code: 'CANCELLED' } })
    await server.requests[0]?.hungUp
  })

  test('before its first word has failed', async () => {
    server.script(stalls)
    const stop = new AbortController()
    const asked = agent().ask({}, { signal: stop.signal })
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    stop.abort()
    expect(await asked).toMatchObject({ status: 'failed', content: '', failure: { code: 'CANCELLED' } })
    await server.requests[0]?.hungUp
  })

  test('before it began asks nobody', async () => {
    expect(await agent().ask({}, { signal: AbortSignal.abort() })).toMatchObject({ status: 'failed' })
    expect(server.requests).toHaveLength(0)
  })

  test('while it waits to ask again asks no more', async () => {
    server.script(answersStatus(429, '30'))
    const stop = new AbortController()
    const asked = agent().ask({}, { signal: stop.signal })
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    setTimeout(() => stop.abort(), 50)
    expect(await asked).toMatchObject({ failure: { code: 'CANCELLED' } })
    expect(server.requests).toHaveLength(1)
  })

  test('by its deadline says so', async () => {
    server.script(stallsAfter('Restart '))
    const answer = await agent({ settings: { deadlineMs: 300 } }).ask()
    expect(answer).toMatchObject({ status: 'partial', failure: { code: 'LIMIT_REACHED' } })
    expect(answer.failure?.message).toContain('chat.deadlineMs')
  })

  test('leaves no connection behind', async () => {
    server.script(stallsAfter('Restart '))
    await agent({ settings: { deadlineMs: 200 } }).ask()
    while (server.open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(server.open).toBe(0)
  })

  test('and any other leaves no timer behind', async () => {
    await agent().ask()
    const before = timers()
    for (let times = 0; times < 10; times += 1) await agent().ask()
    expect(timers()).toBeLessThan(before + 10)
  })
})
