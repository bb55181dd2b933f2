import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { Embedder } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Behaviour,
  embeddings,
  hashVector,
  json,
  type ModelServer,
  raw,
  stallAfterHeaders,
  startModelServer,
  status
} from '../test-material/model-server.ts'
import { PEERS_ABSENT_REASON, PEERS_PRESENT, readPeerCases } from '../test-material/peer-cases.ts'
import { outcomeOf, portErrorOf, remoteFailureOf } from '../test-material/rejection.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts'

const DIMENSION = 8
const usual = embeddings(DIMENSION)
const TEXTS = ['网关连接重置', 'disk pressure']

let server: ModelServer
let embedder: Embedder

beforeEach(async () => {
  server = await startModelServer(usual)
  embedder = embedderWith({})
})
afterEach(async () => {
  await embedder.close()
  await server.close()
})

function embedderWith(changed: Partial<OpenAiEmbedderOptions>): Embedder {
  return createOpenAiEmbedder({
    baseUrl: `${server.origin}/v1/`,
    model: 'text-embedding-test',
    apiKey: 'sk-test',
    dimension: DIMENSION,
    maxTokens: 512,
    batchSize: 32,
    timeoutMs: 10_000,
    ...changed
  })
}

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers)
  return Float32Array.from(numbers, (value) => value / length)
}

function expectVector(vector: Float32Array | undefined, numbers: readonly number[]): void {
  expect(rounded(vector!)).toEqual(rounded(unit(numbers)))
}

/** To what float32 keeps for certain. */
function rounded(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Math.round(value * 1e6) / 1e6)
}

function sentTexts(): readonly string[][] {
  return server.arrivals.map(({ body }) => body.input as string[])
}

describe('a request', () => {
  it('goes to /embeddings below the base address, in batches', async () => {
    embedder = embedderWith({ batchSize: 2 })
    const passages = await embedder.embedPassages(['a', 'b', 'c', 'd', 'e'])
    expect(passages).toHaveLength(5)
    expect(server.arrivals.map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => '/v1/embeddings'))
    expect(sentTexts()).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(server.arrivals[0]!.body).toEqual({
      model: 'text-embedding-test',
      input: ['a', 'b'],
      encoding_format: 'float'
    })
  })

  it('has the prefixes of the model, which its fingerprint shows', async () => {
    const prefixed = embedderWith({ queryPrefix: 'query: ', passagePrefix: 'passage: ' })
    await prefixed.embedQuery('x')
    await prefixed.embedPassages(['x'])
    expect(sentTexts()).toEqual([['query: x'], ['passage: x']])
    expect(prefixed.fingerprint).not.toEqual(embedder.fingerprint)
    expect(embedder.fingerprint).toEqual({
      model: 'text-embedding-test',
      dimension: DIMENSION,
      normalised: true,
      tokenizerVersion: 'remote'
    })
  })

  it('holds no text that a server would refuse for being empty or broken', async () => {
    await embedder.embedPassages(['', ' \n', 'half a pair \uD83D'])
    expect(sentTexts()).toEqual([['.', '.', 'half a pair \uFFFD']])
  })
})

describe('an answer', () => {
  it('is made of unit vectors, also of very great and very small numbers', async () => {
    const vectors = [
      [3, 4, 0, 0, 0, 0, 0, 0],
      [1e300, -1e300, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 1e-300, 0, 0]
    ]
    server.script(json({ data: vectors.map((embedding, index) => ({ index, embedding })) }))
    const passages = await embedder.embedPassages(['a', 'b', 'c'])
    expectVector(passages[0]!.vector, [0.6, 0.8, 0, 0, 0, 0, 0, 0])
    expectVector(passages[1]!.vector, [1, -1, 0, 0, 0, 0, 0, 0])
    expectVector(passages[2]!.vector, [0, 0, 0, 0, 0, 1, 0, 0])
  })

  it('is the same in base64 as in numbers', async () => {
    server.script(embeddings(DIMENSION, { base64: true }))
    const passages = await embedder.embedPassages(TEXTS)
    expect(passages).toHaveLength(TEXTS.length)
    for (const [i, { vector }] of passages.entries()) expectVector(vector, hashVector(TEXTS[i]!, DIMENSION))
  })

  it.for<readonly [string, unknown, RegExp]>([
    ['no list', { error: 'x' }, /no list of vectors/],
    ['null', null, /no list of vectors/],
    ['one vector too few', { data: [item(0)] }, /1 vectors for 2 texts/],
    ['one vector too many', { data: [item(0), item(1), item(2)] }, /3 vectors for 2 texts/],
    ['an index twice', { data: [item(1), item(1)] }, /vector 2 of 2 repeats/],
    ['an index of no text', { data: [item(0), item(2)] }, /vector 2 of 2 has no index/],
    ['no index', { data: [item(0), { embedding: ones() }] }, /vector 2 of 2 has no index/],
    ['an index in words', { data: [{ index: '0', embedding: ones() }, item(1)] }, /vector 1 of 2 has no index/],
    ['nothing in place of a vector', { data: [item(0), null] }, /vector 2 of 2 has no index/],
    ['null in place of numbers', { data: [item(0), { index: 1, embedding: null }] }, /vector 2 of 2 is empty/],
    ['numbers in words', { data: [item(0), { index: 1, embedding: ones().map(String) }] }, /no finite number/],
    ['base64 of half a number', { data: [item(0), { index: 1, embedding: 'AAAAAAA=' }] }, /vector 2 of 2 is empty/],
    ['NaN in base64', { data: [item(0), { index: 1, embedding: base64Of(Number.NaN) }] }, /no finite number/],
    ['zeros in base64', { data: [item(0), { index: 1, embedding: base64Of(0) }] }, /vector 2 of 2 is all zeros/]
  ])('with %s is refused, and says what', async ([, answer, what]) => {
    server.script(json(answer))
    const error = await portErrorOf(embedder.embedPassages(TEXTS))
    expect(error).toMatchObject({ failure: 'unavailable', operation: 'embed passages', subject: 'text-embedding-test' })
    expect(error.message).toMatch(what)
    expect(embedder.state).toBe('failed')
  })

  it('with a number beyond all numbers is refused', async () => {
    server.script(raw(`{"data":[{"index":0,"embedding":[1e999,${ones().slice(1).join()}]}]}`, 'application/json'))
    expect((await portErrorOf(embedder.embedQuery('x'))).message).toMatch(/no finite number/)
  })
})

function ones(): number[] {
  return Array.from({ length: DIMENSION }, () => 1)
}

function item(index: number): unknown {
  return { index, embedding: ones() }
}

function base64Of(value: number): string {
  return Buffer.from(new Float32Array(DIMENSION).fill(value).buffer).toString('base64')
}

function words(count: number): string {
  return Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
}

/** A refusal with words of the server's own. */
function tooLong(code: number, message: string): Behaviour {
  return status(code, { body: JSON.stringify({ error: { message } }) })
}

describe('a text that is too long', () => {
  it('is cut at the limit by the estimate before it is sent', async () => {
    const [passage] = await embedder.embedPassages([words(2_000)])
    const [[sent]] = sentTexts() as [[string]]
    expect(words(2_000).startsWith(sent)).toBe(true)
    expect(estimateTokens(sent)).toBe(512)
    expect(passage!.tokenCount).toBe(512)
  })

  it('for the server only is cut shorter alone; the others of its batch are embedded whole', async () => {
    await server.close()
    server = await startModelServer(embeddings(DIMENSION, { maxWords: 50 }))
    embedder = embedderWith({})
    const texts = ['a', 'b', words(80), 'c', 'd', words(50), 'e']
    const passages = await embedder.embedPassages(texts)
    for (const [i, text] of texts.entries()) {
      if (i !== 2) expectVector(passages[i]!.vector, hashVector(text, DIMENSION))
    }
    const taken = sentTexts().findLast(([text]) => text!.startsWith('w0') && text !== words(50))![0]!
    expectVector(passages[2]!.vector, hashVector(taken, DIMENSION))
    expect(words(80).startsWith(taken)).toBe(true)
    expect(taken.length).toBeGreaterThan(words(80).length * 0.45)
    expect(passages[2]!.tokenCount).toBe(estimateTokens(taken))
    expect(embedder.state).toBe('warm')
  })

  it('gets the same vector whatever stands beside it', async () => {
    await server.close()
    server = await startModelServer(embeddings(DIMENSION, { maxWords: 30 }))
    embedder = embedderWith({})
    const [alone] = await embedder.embedPassages([words(100)])
    const beside = await embedder.embedPassages(['a', words(90), 'b', 'c', words(100)])
    expect(beside[4]).toEqual(alone)
  })

  it.for<readonly [string, Behaviour]>([
    ['OpenAI', tooLong(400, "This model's maximum context length is 8192 tokens, however you requested 9000.")],
    ['Ollama', tooLong(400, 'the input length exceeds the context length')],
    ['text-embeddings-inference', tooLong(413, '`inputs` must have less than 512 tokens. Given: 600')],
    ['DashScope', tooLong(400, '<400> InvalidParameter: Range of input length should be [1, 8192]')],
    ['llama.cpp', tooLong(500, 'input is too large to process. increase the physical batch size')]
  ])('is understood in the words of %s', async ([, behaviour]) => {
    server.script(behaviour)
    await embedder.embedQuery('restart the gateway node')
    expect(sentTexts()).toEqual([['restart the gateway node'], ['restart the gate']])
  })

  it('however short is an error in the end, not an endless loop', async () => {
    await server.close()
    server = await startModelServer(tooLong(400, 'maximum context length'))
    embedder = embedderWith({})
    const error = await portErrorOf(embedder.embedPassages(['a', words(300)]))
    expect(remoteFailureOf(error).kind).toBe('too-long')
    expect(error.hint).toContain('maxTokens')
    expect(server.arrivals.length).toBeLessThan(16)
  })

  it('is no explanation for another refusal', async () => {
    server.script(tooLong(400, 'batch size is invalid, it should not be larger than 10'))
    expect(remoteFailureOf(await portErrorOf(embedder.embedPassages(TEXTS))).kind).toBe('refused')
    expect(server.arrivals).toHaveLength(1)
  })

  it('is cut between characters as a reader knows them', async () => {
    server.script(tooLong(400, 'maximum context length'))
    await embedder.embedQuery('👨‍👩‍👧'.repeat(10))
    expect(sentTexts()[1]).toEqual(['👨‍👩‍👧'.repeat(7)])
  })
})

describe('the model', () => {
  it('is warmed by one word, once', async () => {
    expect(embedder.state).toBe('cold')
    await Promise.all([embedder.warm(), embedder.warm()])
    await embedder.warm()
    expect(embedder.state).toBe('warm')
    expect(sentTexts()).toEqual([['ping']])
  })

  it('is asked for nothing by a look at its state', async () => {
    expect(Array.from({ length: 100 }, () => embedder.state).every((state) => state === 'cold')).toBe(true)
    expect(server.arrivals).toHaveLength(0)
  })

  it('is asked for nothing where there is no text', async () => {
    expect(await embedder.embedPassages([])).toEqual([])
    expect(server.arrivals).toHaveLength(0)
  })
})

/** What each entry of the collected faults does, and what must come of it. */
const peerCases: Readonly<Record<string, { serve: (entry: unknown) => Behaviour; expected: RegExp }>> = {
  short_batch: {
    serve: () => (exchange) => usual({ ...exchange, body: { input: (exchange.body.input as string[]).slice(1) } }),
    expected: /has 1 vectors for 2 texts/
  },
  empty_vector: { serve: json, expected: /is empty/ },
  wrong_dim: { serve: json, expected: /gives vectors of 3 numbers, the configuration says 8/ },
  all_zero: { serve: json, expected: /is all zeros/ },
  null_element: { serve: json, expected: /no finite number/ },
  order_reversed: {
    serve:
      () =>
      ({ response, body }) => {
        const data = (body.input as string[]).map((text, index) => ({ index, embedding: hashVector(text, DIMENSION) }))
        response.end(JSON.stringify({ data: data.toReversed() }))
      },
    expected: /^the right vectors$/
  },
  same_dim_other_model: { serve: () => usual, expected: /^the right vectors$/ },
  http_429_then_ok: { serve: () => status(429, { headers: { 'retry-after': '1' } }), expected: /^the right vectors$/ },
  http_400_context_length: { serve: (entry) => status(400, { body: String(entry) }), expected: /^the right vectors$/ },
  hang_after_headers: { serve: () => stallAfterHeaders, expected: /no whole answer within 2000 ms/ }
}

describe.skipIf(!PEERS_PRESENT)(`faults that users of other products met (else: ${PEERS_ABSENT_REASON})`, () => {
  const entries = Object.entries(readPeerCases('stub_embed_bad.json'))

  it('are all known here', () => {
    expect(entries.map(([name]) => name).toSorted()).toEqual(Object.keys(peerCases).toSorted())
  })

  it.for(entries)('%s', async ([name, entry]) => {
    const { serve, expected } = peerCases[name]!
    // An entry has the vectors of one text; the others are about a batch.
    const texts = typeof entry === 'string' ? TEXTS : TEXTS.slice(0, 1)
    embedder = embedderWith({ timeoutMs: 2_000 })
    server.script(serve(entry))
    const vectors = embedder.embedPassages(texts).then((passages) => passages.map(({ vector }) => rounded(vector)))
    const right = texts.map((text) => rounded(unit(hashVector(text, DIMENSION))))
    const outcome = await outcomeOf(vectors)
    expect(isDeepStrictEqual(outcome, right) ? 'the right vectors' : outcome).toMatch(expected)
  })
})

describe('an index', () => {
  let directory: string
  beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'remote-embedder-'))))
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it.for<readonly [string, Partial<OpenAiEmbedderOptions>]>([
    ['another model of the same width', { model: 'other-model' }],
    ['the same model of another width', { dimension: 3 }],
    ['the same model with another prefix', { passagePrefix: 'passage: ' }]
  ])('of one model refuses %s, naming both', async ([, changed]) => {
    const other = embedderWith(changed)
    const place = { directory, onBackgroundFailure: () => {} }
    await (await openEmbeddedIndex({ ...place, fingerprint: embedder.fingerprint })).close()
    const error = await portErrorOf(openEmbeddedIndex({ ...place, fingerprint: other.fingerprint }))
    expect(error.failure).toBe('model-mismatch')
    for (const { model, dimension } of [embedder.fingerprint, other.fingerprint]) {
      expect(error.message).toContain(`${model} (${dimension} wide`)
    }
  })
})
