import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { modelsSchema, modelTestResultSchema } from '@oncall-agent/api-contracts'
import { createBundledEmbedder, createBundledReranker } from '@oncall-agent/bundled-models'
import { type Embedder, PortError, type Reranker } from '@oncall-agent/retrieval'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { createJinaReranker, createOpenAiEmbedder } from '../models/index.ts'
import { createLogger } from '../observability/index.ts'
import { modelSettings } from './model-settings.ts'
import { type ModelTestHow, testModel } from './model-settings-trial.ts'
import type { Parts } from './parts.ts'

const KEY = 'sk-very-secret-0123456789'
let embedder: Embedder
let reranker: Reranker & { close(): Promise<void> }
beforeAll(() => {
  embedder = createBundledEmbedder({ tokenVectors: true })
  reranker = createBundledReranker({ tokenVectors: true })
})
afterAll(() => Promise.all([embedder.close(), reranker.close()]))

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A server of models that answers everything alike. */
async function serving(answer: RequestListener): Promise<string> {
  server = createServer((request, response) => void request.resume().on('end', () => answer(request, response)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const says =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

interface Bench {
  readonly parts: Parts
  readonly logged: () => string
}

/** Only what the two read of the parts. */
function bench(overrides: Parameters<typeof loadSettings>[0] = {}, models: Partial<Parts> = {}): Bench {
  const lines: string[] = []
  const logger = createLogger({
    level: 'info',
    secrets: [KEY],
    destination: { write: (line) => void lines.push(line) }
  })
  const settings = loadSettings({ env: {}, ...overrides })
  return { parts: { settings, logger, embedder, reranker, ...models } as Parts, logged: () => lines.join('') }
}

const chatAt = (baseUrl: string) =>
  bench({ overrides: { chat: { baseUrl, model: 'm', apiKey: KEY, timeoutMs: 2_000 } } })
const how = (part: ModelTestHow['part'], language: 'zh' | 'en' = 'en') => ({
  part,
  language,
  signal: new AbortController().signal
})

describe('which models answer', () => {
  test('is told with what to set, and without keys and paths', () => {
    const secret = 'https://api.example.org:8443/key/abc/v1'
    const { parts } = bench({
      overrides: {
        chat: { baseUrl: secret, model: 'qwen', apiKey: KEY },
        rerank: { provider: 'jina', baseUrl: secret, model: 'r' }
      }
    })
    const told = modelsSchema.parse(modelSettings(parts))
    expect(told.models).toMatchObject([
      { part: 'chat', configured: true, provider: 'openai', model: 'qwen', hasKey: true },
      { part: 'embedding', configured: true, provider: 'bundled', origin: '', hasKey: false },
      { part: 'rerank', configured: true, provider: 'jina', model: 'r', hasKey: false }
    ])
    expect(told.models[0]!.origin).toBe('https://api.example.org:8443')
    expect(JSON.stringify(told)).not.toMatch(/abc|very-secret/)
    expect(told.models[0]!.settings.map(({ name, variable }) => [name, variable])).toEqual([
      ['chat.baseUrl', 'KB_CHAT__BASE_URL'],
      ['chat.model', 'KB_CHAT__MODEL'],
      ['chat.apiKey', 'KB_CHAT__API_KEY']
    ])
    expect(modelSettings(bench().parts).models[0]).toMatchObject({ configured: false, provider: 'none', origin: '' })
  })

  test('names settings that there are, with examples that are taken', () => {
    const { models } = modelSettings(bench().parts)
    for (const { part, settings } of models) {
      const environment = Object.fromEntries(settings.map(({ variable, example }) => [variable, example]))
      expect(loadSettings({ env: environment })[part]).toMatchObject({ model: 'name-of-the-model' })
    }
  })
})

describe('a model that is tested', () => {
  test('the bundled ones answer a real question', async () => {
    const { parts } = bench()
    for (const part of ['embedding', 'rerank'] as const) {
      const result = modelTestResultSchema.parse(await testModel(parts, how(part)))
      expect(result).toMatchObject({ part, ok: true, message: 'The model answered.' })
    }
  })

  test('no chat model is not good, and says what to set in both languages', async () => {
    const { parts } = bench()
    const en = await testModel(parts, how('chat'))
    expect(en).toMatchObject({ ok: false, message: expect.stringMatching(/KB_CHAT__BASE_URL.*KB_CHAT__MODEL/) })
    const zh = await testModel(parts, how('chat', 'zh'))
    expect(zh).toMatchObject({ ok: false, message: expect.stringMatching(/没有配置.*KB_CHAT__BASE_URL/) })
  })

  const leak = { error: { message: `key ${KEY} of http://internal:9 refused`, code: 'invalid_api_key' } }
  test.each<[string, RequestListener, RegExp]>([
    ['refuses the key', says(401, leak), /^The key was refused.*KB_CHAT__API_KEY/],
    ['does not know the model', says(404, { error: { code: 'model_not_found' } }), /know this model.*KB_CHAT__MODEL/],
    ['has no such model', says(400, { error: { type: 'ModelNotFound' } }), /know this model.*KB_CHAT__MODEL/],
    ['has no such address', says(404, leak), /know this address.*KB_CHAT__BASE_URL/],
    ['is no chat model', says(200, { data: [{ embedding: [1] }] }), /not with a chat completion/],
    ['is a page', (_request, response) => void response.end('<html>'), /not JSON/],
    ['is silent', () => undefined, /no whole answer in time/]
  ])('at a server that %s is explained, in fixed words', async (_what, answer, words) => {
    const { parts, logged } = chatAt(await serving(answer))
    const result = await testModel(parts, how('chat'))
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(words) })
    expect(result.message).not.toMatch(/very-secret|internal|127\.0\.0\.1/)
    expect(logged()).not.toContain('very-secret')
  })

  test('at no server is explained, and the log knows why', async () => {
    const { parts, logged } = chatAt('http://127.0.0.1:9')
    const result = await testModel(parts, how('chat', 'zh'))
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(/^连不上该地址.*KB_CHAT__BASE_URL/) })
    expect(logged()).toContain('a model failed its test')
  })

  test('that is remote is asked for one vector, or for two scores', async () => {
    const vectors = await serving(says(200, { data: [{ index: 0, embedding: [3, 4, 0] }] }))
    const options = { baseUrl: vectors, model: 'e', apiKey: KEY, maxTokens: 100, batchSize: 4, timeoutMs: 2_000 }
    const remote = { embedding: { provider: 'openai', baseUrl: vectors, model: 'e', dimension: 3 } } as const
    const right = bench({ overrides: remote }, { embedder: createOpenAiEmbedder({ ...options, dimension: 3 }) })
    expect(await testModel(right.parts, how('embedding'))).toMatchObject({ ok: true })
    const wrong = bench({ overrides: remote }, { embedder: createOpenAiEmbedder({ ...options, dimension: 8 }) })
    expect(await testModel(wrong.parts, how('embedding'))).toMatchObject({
      ok: false,
      message: expect.stringContaining('KB_EMBEDDING__DIMENSION')
    })
    server!.close()
    const scores = [0, 1].map((index) => ({ index, relevance_score: 0.5 }))
    for (const [results, ok] of [
      [scores, true],
      [scores.slice(0, 1), false]
    ] as const) {
      const baseUrl = await serving(says(200, { results }))
      const jina = createJinaReranker({ baseUrl, model: 'r', apiKey: KEY, timeoutMs: 2_000 })
      const { parts } = bench({ overrides: { rerank: { provider: 'jina', baseUrl, model: 'r' } } }, { reranker: jina })
      expect(await testModel(parts, how('rerank'))).toMatchObject({ ok })
      server!.close()
    }
  })

  test('that never answers ends at the limit, and with the one who asked', async () => {
    const hung = { ...embedder, limits: embedder.limits, fingerprint: embedder.fingerprint, embedQuery: () => never() }
    const { parts } = bench({}, { embedder: hung as Embedder })
    expect(await testModel(parts, how('embedding'), 50)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/time/)
    })
    const gone = new AbortController()
    gone.abort(new Error('gone'))
    const { parts: chat } = chatAt(await serving(() => undefined))
    await expect(testModel(chat, { ...how('chat'), signal: gone.signal })).rejects.toThrow('gone')
  })

  test('that is bundled and fails sends the operator to doctor; a fault of ours is no verdict', async () => {
    const detail = { operation: 'embed query', subject: 'm', reason: 'weights are missing' }
    const broken = bench({}, { embedder: failing(new PortError('unavailable', detail)) })
    expect(await testModel(broken.parts, how('embedding'))).toMatchObject({
      ok: false,
      message: expect.stringContaining('oncall doctor --models')
    })
    const { parts } = bench(
      { overrides: { embedding: { provider: 'openai', baseUrl: 'http://127.0.0.1:9', model: 'e', dimension: 3 } } },
      { embedder: failing(new TypeError('a fault of ours')) }
    )
    await expect(testModel(parts, how('embedding'))).rejects.toThrow('a fault of ours')
  })
})

function failing(fault: Error): Embedder {
  return { ...embedder, embedQuery: () => Promise.reject(fault) } as unknown as Embedder
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}
