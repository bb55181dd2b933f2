import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { estimateTokens } from '../../models/index.ts'
import { answering, toolOf } from '../test-material/answering.ts'
import { textOf } from '../test-material/chat-exchange.ts'
import { calls, type ChatModelServer, decides, says, startChatModelServer } from '../test-material/chat-model-server.ts'
import { KeptResults, lengthWithin } from './kept-results.ts'

let server: ChatModelServer
beforeAll(async () => {
  server = await startChatModelServer(says('done'))
})
afterEach(() => server.reset())
afterAll(() => server.close())

const log = (lines: number): string => Array.from({ length: lines }, (_, n) => `line ${n} 日志内容 of it`).join('\n')
const reads = (result: string, lines = 20_000) => toolOf(result, async () => ({ text: log(lines) }))
const small = { contextTokens: 8_192, maxOutputTokens: 1_024 }

/** Everything that one request would have the model read, by our estimate. */
function sizeOf({ body }: ChatModelServer['requests'][number]): number {
  const texts = body.messages.map((message) => `${textOf(message)}${JSON.stringify(message.tool_calls ?? '')}`)
  return estimateTokens(texts.join('\n') + JSON.stringify(body.tools ?? []))
}

describe('what the model reads', () => {
  test('fits its context with any number of long results, and says of each how much is left', async () => {
    server.script(
      calls(Array.from({ length: 12 }, () => ({ name: 'logs', arguments: {} }))),
      calls([{ name: 'logs', arguments: {} }]),
      says('Done.')
    )
    const answer = await answering({ baseUrl: server.baseUrl, tools: [reads('logs')], settings: small }).ask()
    expect(answer.status).toBe('completed')
    for (const request of server.requests) expect(sizeOf(request)).toBeLessThanOrEqual(8_192 - 1_024)
    const told = server.requests
      .at(-1)!
      .body.messages.filter(({ role }) => role === 'tool')
      .map(textOf)
    expect(told).toHaveLength(13)
    for (const text of told) expect(text).toMatch(/\[… \d+ characters left; call read_more with \{"result":"call\d+"/)
  })

  test('can be read to its end with read_more, without a gap', async () => {
    const text = log(600)
    const pieces: string[] = []
    server.usually(
      decides(({ body }) => {
        const last = textOf(body.messages.at(-1)!)
        const next = /call read_more with (\{.*\})\]/.exec(last)?.[1]
        if (body.messages.at(-1)?.role === 'tool') {
          pieces.push(
            last
              .replace(/^<[^>]+>\n/, '')
              .replace(/\n<\/[^>]+>$/, '')
              .replace(/\n\[…[^]*\]$/, '')
          )
        } else return calls([{ name: 'logs', arguments: {} }])
        return next === undefined ? says('I read it.') : calls([{ name: 'read_more', arguments: next }])
      })
    )
    const { ask, recorded } = answering({
      baseUrl: server.baseUrl,
      tools: [toolOf('logs', async () => ({ text }))],
      settings: { ...small, maxSteps: 40 }
    })
    expect(await ask()).toMatchObject({ status: 'completed', content: 'I read it.' })
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.join('')).toBe(text)
    expect(recorded.map(({ tool }) => tool)).toContain('read_more')
  })

  test('leaves out the oldest messages first, with a note, and never half a pair', async () => {
    server.script(says('Done.'))
    const history = Array.from({ length: 20 }, (_, n) => [
      { role: 'user', content: `question ${n} ${'word '.repeat(150)}` } as const,
      { role: 'assistant', content: `answer ${n} ${'word '.repeat(150)}` } as const
    ]).flat()
    await answering({ baseUrl: server.baseUrl, settings: small }).ask({ history, language: 'zh' })
    const [request] = server.requests
    expect(sizeOf(request!)).toBeLessThanOrEqual(8_192 - 1_024)
    const [system, first, ...rest] = request!.body.messages
    const kept = rest.length
    expect(textOf(system!)).toContain(`较早的 ${40 - kept} 条消息`)
    expect(first?.role).toBe('user')
    expect(textOf(first!)).toMatch(/^question \d+/)
    expect(textOf(request!.body.messages.at(-1)!)).toBe('How do I restart the ingester?')
  })

  test('has a long question in part, and the rest on request', async () => {
    const question = `为什么？${'日志'.repeat(10_000)} 结束`
    server.script(calls([{ name: 'read_more', arguments: { result: 'question', offset: 19_990 } }]), says('好的。'))
    const answer = await answering({ baseUrl: server.baseUrl, settings: small }).ask({ question })
    expect(answer.status).toBe('completed')
    const [, asked, , more] = server.requests.at(-1)!.body.messages
    expect(textOf(asked!)).toMatch(/^为什么？[^]*call read_more with \{"result":"question","offset":\d+\}\]$/)
    expect(textOf(more!)).toContain('结束')
  })

  test('that can not fit ends the answer before the model is asked', async () => {
    const tools = Array.from({ length: 200 }, (_, n) =>
      toolOf(`tool_${n}`, async () => ({ text: '' }), { description: 'x '.repeat(100) })
    )
    const answer = await answering({ baseUrl: server.baseUrl, tools, settings: small }).ask()
    expect(answer).toMatchObject({ status: 'failed', failure: { code: 'LIMIT_REACHED' } })
    expect(answer.failure?.message).toContain('chat.contextTokens')
    expect(server.requests).toHaveLength(0)
  })

  test('names what it may load, and loads it', async () => {
    server.script(
      calls([
        { name: 'load_skill', arguments: { name: 'triage' } },
        { name: 'load_skill', arguments: { name: 'other' } }
      ]),
      says('ok')
    )
    const skills = {
      list: [{ name: 'triage', description: 'How to\nbegin' }],
      load: async () => '1. Look at the graph.'
    }
    await answering({ baseUrl: server.baseUrl, parts: { skillsFor: async () => skills } }).ask()
    const [system, , , loaded, refused] = server.requests.at(-1)!.body.messages
    expect(textOf(system!)).toContain('- triage: How to begin')
    expect(textOf(loaded!)).toContain('1. Look at the graph.')
    expect(textOf(refused!)).toContain('VALIDATION_FAILED')
  })
})

test('messages that are older than the history are counted among those that are left out', async () => {
  server.script(says('ok'))
  const history = [{ role: 'user', content: 'Is it down?' }] as const
  await answering({ baseUrl: server.baseUrl }).ask({ history, older: 37 })
  expect(textOf(server.requests.at(-1)!.body.messages[0]!)).toContain('37')
})

describe('tool servers that can not be reached', () => {
  test.each([
    ['en', 'could not be reached, and their tools are missing: cls, grafana'],
    ['zh', '无法连接，其工具本轮不可用：cls, grafana']
  ] as const)('are named to the agent in %s, so that it says where it could not look', async (language, words) => {
    server.script(says('ok'))
    const parts = { toolsFor: async () => ({ tools: [], unreachable: ['cls', 'grafana'] }) }
    await answering({ baseUrl: server.baseUrl, parts }).ask({ language })
    const [system] = server.requests.at(-1)!.body.messages
    expect(textOf(system!)).toContain(words)
  })
})

describe('results that are kept for reading on', () => {
  test('are bounded together, and say what was too much', () => {
    const results = new KeptResults(1_000, 50)
    results.keep('first', 'a'.repeat(900))
    results.keep('second', 'b'.repeat(5_000))
    results.keep('third', 'c'.repeat(5_000))
    expect(results.page({ result: 'third', offset: 0 }, 10_000)).toBe(
      `${'c'.repeat(50)}\n[4950 more characters were too many to keep.]`
    )
    expect(results.page({ result: 'first', offset: 0 }, 10_000)).toBe('a'.repeat(900))
    expect(results.page({ result: 'second', offset: 0 }, 10_000)).toBe(
      `${'b'.repeat(100)}\n[4900 more characters were too many to keep.]`
    )
  })

  test('have no page behind their end, and none of a name that there is not', () => {
    const results = new KeptResults()
    results.keep('first', 'abc')
    expect(() => results.page({ result: 'first', offset: 4 }, 10)).toThrow('the result ends at 3')
    expect(() => results.page({ result: 'second', offset: 0 }, 10)).toThrow('no result of this name')
  })

  test('are cut where a character ends, within the tokens that were asked for', () => {
    const text = '😀日志 a word_of_many parts 12345 '.repeat(200)
    for (let tokens = 5; tokens < 400; tokens += 7) {
      const end = lengthWithin(text, tokens)
      expect(text.slice(0, end).isWellFormed()).toBe(true)
      expect(end).toBeGreaterThan(0)
      expect(estimateTokens(text.slice(0, end))).toBeLessThanOrEqual(tokens + 4)
    }
    expect(lengthWithin('short', 1_000)).toBe(5)
  })
})
