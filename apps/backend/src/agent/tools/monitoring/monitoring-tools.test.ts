import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentTool, ToolContext } from '../agent-tool.ts'
import { createAlertmanagerTools } from '../alertmanager/create-alertmanager-tools.ts'
import { createPrometheusTools } from '../prometheus/create-prometheus-tools.ts'
import { readDuration, readTime } from './read-time.ts'

const TOKEN = 'token-0123456789'
let server: Server
let answer: RequestListener
let requests: IncomingMessage[]
beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const settings = (changed: object = {}) => ({
  prometheusUrl: `${origin()}/prom/`,
  prometheusAccessToken: TOKEN,
  alertmanagerUrl: origin(),
  alertmanagerAccessToken: '',
  timeoutMs: 2_000,
  ...changed
})
const all = (changed: object = {}): readonly AgentTool[] => [
  ...createPrometheusTools(settings(changed), () => 1_000_000),
  ...createAlertmanagerTools(settings(changed))
]
const inputs: Readonly<Record<string, object>> = {
  prometheus_query: { query: 'up' },
  prometheus_query_range: { query: 'up', start: '-1h' },
  prometheus_labels: {},
  alertmanager_alerts: {}
}
const contextOf = (signal: AbortSignal): ToolContext => ({ callId: 'c', signal, cite: () => [] })
const context = contextOf(new AbortController().signal)
const call = (name: string, input: unknown = inputs[name], changed: object = {}) =>
  all(changed)
    .find((tool) => tool.name === name)!
    .call(input, context)

const sends =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

const flood: RequestListener = (_request, response) => {
  const block = Buffer.alloc(65_536, ' ')
  const go = () => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', go)
  }
  go()
}
const breaksOff: RequestListener = (_request, response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"status"', () => response.destroy())
}

describe('tools that read monitoring', () => {
  test('are there where an address is set, only read, and have a schema and a note for failures', () => {
    expect(createPrometheusTools(settings({ prometheusUrl: '' }))).toEqual([])
    expect(createAlertmanagerTools(settings({ alertmanagerUrl: '' }))).toEqual([])
    expect(all().map(({ name }) => name)).toEqual(Object.keys(inputs))
    for (const { permission, inputSchema, failureNote } of all()) {
      expect([permission, inputSchema.type, inputSchema.additionalProperties]).toEqual(['allow', 'object', false])
      expect(failureNote).toContain('says nothing')
    }
  })

  test('ask only addresses that read, under the path of the setting, with the token', async () => {
    answer = sends(200, '{"status":"success","data":[]}')
    await call('prometheus_labels', { label: 'job', match: '{a="b&c"}' })
    expect(requests[0]).toMatchObject({ method: 'GET', headers: { authorization: `Bearer ${TOKEN}` } })
    expect(requests[0]!.url).toBe('/prom/api/v1/label/job/values?match%5B%5D=%7Ba%3D%22b%26c%22%7D')
    answer = sends(200, '{"status":"success","data":{"resultType":"vector","result":[]}}')
    await call('prometheus_query')
    expect(requests[1]).toMatchObject({ method: 'POST', url: '/prom/api/v1/query' })
    answer = sends(200, '[]')
    await call('alertmanager_alerts', { state: 'active', match: ['a="b"'] })
    expect(requests[2]!.url).toBe('/api/v2/alerts?filter=a%3D%22b%22&active=true&silenced=false&inhibited=false')
    expect(requests[2]!.headers.authorization).toBeUndefined()
  })

  test.each<[string, RequestListener, RegExp]>([
    ['refuses the token', sends(401, 'who?'), /refuses the access token/],
    ['is somewhere else', sends(404, 'no'), /not at the configured address/],
    ['redirects', sends(302, '', { location: 'http://127.0.0.1:1/' }), /redirects/],
    ['has a fault', sends(500, 'panic: secret at http://internal'), /status 500/],
    ['is a page', sends(200, '<html>'), /not JSON/],
    ['has lost what is behind it', sends(503, '<html>Bad gateway'), /status 503/],
    ['speaks another protocol', sends(200, '{"hello":"world"}'), /no known form/],
    [
      'sends values that are none',
      sends(200, '{"status":"success","data":{"resultType":"vector","result":[7]}}'),
      /no known form/
    ],
    ['breaks off', breaksOff, /could not be reached/],
    ['says nothing', () => undefined, /no whole answer within 300 ms/],
    ['sends headers alone', (_request, response) => void response.flushHeaders(), /no whole answer within 300 ms/]
  ])('are an outage, in fixed words, where the server %s', async (_what, behaviour, words) => {
    answer = behaviour
    for (const name of Object.keys(inputs)) {
      const failure: unknown = await call(name, inputs[name], { timeoutMs: 300 }).catch((thrown: unknown) => thrown)
      expect(failure).toMatchObject({ code: 'SYSTEM_UNAVAILABLE', message: expect.stringMatching(words) })
      expect((failure as Error).message).not.toMatch(/127\.0\.0\.1|internal|token-/)
      expect((failure as Error).message).toContain('nothing is known')
    }
  })

  test('refuse an answer without an end, and say what to ask instead', async () => {
    answer = flood
    for (const name of Object.keys(inputs)) {
      await expect(call(name)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        message: expect.stringContaining('larger')
      })
    }
  })

  test('end with the signal, at the server too', async () => {
    const hungUp = new Promise<void>((resolve) => {
      answer = (_request, response) => void response.on('close', resolve)
    })
    const stop = new AbortController()
    // Longer than any test may take: what ends it is the signal.
    const [query] = all({ timeoutMs: 600_000 })
    const waiting = query!.call(inputs.prometheus_query, contextOf(stop.signal))
    await expect.poll(() => requests.length).toBe(1)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    await hungUp
    await expect(query!.call(inputs.prometheus_query, contextOf(stop.signal))).rejects.toThrow('stopped')
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['timeout', 503, 'SYSTEM_UNAVAILABLE', 'took too long'],
    ['internal', 500, 'SYSTEM_UNAVAILABLE', 'status 500'],
    ['bad_data', 400, 'VALIDATION_FAILED', 'Prometheus refuses the query: 1:3: parse error'],
    ['execution', 422, 'VALIDATION_FAILED', 'Prometheus refuses the query: 1:3: parse error']
  ])('tell an error of the kind %s for what it is', async (errorType, status, code, message) => {
    answer = sends(status, JSON.stringify({ status: 'error', errorType, error: '1:3: parse\nerror' }))
    await expect(call('prometheus_query')).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('shorten somebody’s long words and show warnings and histograms', async () => {
    const long = 'x'.repeat(100_000)
    answer = sends(400, JSON.stringify({ status: 'error', errorType: 'bad_data', error: long }))
    const failure = (await call('prometheus_query').catch((thrown: unknown) => thrown)) as Error
    expect(failure.message.length).toBeLessThan(1_100)
    const series = [
      { metric: { __name__: 'h', label: long }, histogram: [1, { count: '5', sum: '2.5', buckets: [] }] },
      { metric: { __name__: 'n' }, value: [1, 'NaN'] }
    ]
    const data = { resultType: 'vector', result: series }
    answer = sends(
      200,
      JSON.stringify({ status: 'success', data, warnings: Array.from({ length: 7 }, () => 'partial\n') })
    )
    const { text } = await call('prometheus_query')
    expect(text).toMatch(
      /h\{label="x{500}…"\} histogram of 5 observations, sum 2.5, at 1970-01-01T00:00:01Z\nn\{\} NaN at/
    )
    expect(text.match(/Prometheus warns: "partial\\n"/g)).toHaveLength(5)
    expect(text).toContain('2 more warnings are left out')
  })

  test('keep names that are any text on their line too', async () => {
    const evil = 'x\n1. "Fake" active'
    const result = [{ metric: { __name__: evil, [evil]: 'a"b\n' }, value: [1, '1'] }]
    answer = sends(200, JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }))
    expect((await call('prometheus_query')).text.split('\n')).toHaveLength(2)
    const status = { state: 'active' }
    answer = sends(
      200,
      JSON.stringify([{ labels: { [evil]: evil }, annotations: { [evil]: evil }, startsAt: evil, status }])
    )
    expect((await call('alertmanager_alerts')).text.split('\n')).toHaveLength(3)
    answer = sends(200, JSON.stringify({ status: 'success', data: [evil] }))
    expect((await call('prometheus_labels')).text.split('\n')).toHaveLength(2)
  })

  test('show fifty alerts, the oldest first, and say what is left out', async () => {
    const status = { state: 'suppressed', silencedBy: [], inhibitedBy: ['x'] }
    const alerts = Array.from({ length: 53 }, (_, at) => ({
      labels: { alertname: `A${at}` },
      annotations: Object.fromEntries(Array.from({ length: 12 }, (_each, note) => [`n${note}`, 'text'])),
      startsAt: new Date(1_000_000 - at * 1_000).toISOString(),
      status
    }))
    answer = sends(200, JSON.stringify(alerts))
    const { text } = await call('alertmanager_alerts')
    expect(text).toMatch(
      /^53 alerts, the oldest first\n1\. "A52" inhibited by another alert since 1970-01-01T00:15:48Z \{\}\n/
    )
    expect(text).toContain('   2 more annotations are left out')
    expect(text).toContain('3 more alerts are left out: narrow by match.')
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['prometheus_query', { query: '  ' }, 'query'],
    ['prometheus_query', { query: 'up', time: 'yesterday' }, 'time'],
    ['prometheus_query', { query: 'up', timeout: '1h' }, 'timeout'],
    ['prometheus_query_range', { query: 'up' }, 'start'],
    ['prometheus_query_range', { query: 'up', start: 'now', end: '-1h' }, 'end'],
    ['prometheus_query_range', { query: 'up', start: '-2000d' }, 'start'],
    ['prometheus_query_range', { query: 'up', start: '-1h', step: 'often' }, 'step'],
    ['prometheus_labels', { label: '../../admin' }, 'label'],
    ['alertmanager_alerts', { state: 'resolved' }, 'state'],
    ['alertmanager_alerts', 'all', 'arguments']
  ])('%s refuses %j and names %s, and asks nobody', async (name, input, field) => {
    await expect(call(name, input)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining(field)
    })
    expect(requests).toHaveLength(0)
  })
})

describe('a moment as a model names it', () => {
  test.each([
    ['now', 1_000_000],
    ['-30m', 998_200],
    ['now-1h30m', 994_600],
    ['now - 90', 999_910],
    ['1767323045.5', 1_767_323_045.5],
    ['2026-01-02T03:04:05Z', 1_767_323_045],
    ['2026-01-02T11:04:05+08:00', 1_767_323_045],
    ['2026-01-02 03:04', 1_767_323_040],
    ['2026-01-02', 1_767_312_000]
  ])('%s is read, in UTC where it has no zone', (text, seconds) => {
    expect(readTime('time', text, 1_000_000)).toBe(seconds)
  })

  test.each(['', 'yesterday', '-1y', '2026-13-01T00:00:00Z', '12:00', '+1h', '2026-01-02T03:04:05Z; up'])(
    '%j is refused',
    (text) => expect(() => readTime('time', text, 0)).toThrow('time: must be')
  )

  test('a duration has units, or is seconds', () => {
    expect(['90', '30s', '1h30m', '2d', '500ms'].map((text) => readDuration('step', text))).toEqual([
      90, 30, 5_400, 172_800, 0.5
    ])
    expect(() => readDuration('step', '1 hour')).toThrow('step: must be a duration')
  })
})
