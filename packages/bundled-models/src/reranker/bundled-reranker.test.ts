import {
  PortError,
  tokenize,
  type Embedder,
  type PassageEmbedding,
  type QueryEmbedding,
  type RerankCandidate,
  type RerankRequest,
  type RerankScore
} from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBundledEmbedder } from '../embedder/bundled-embedder.ts'
import { composeVector, normalise, partCosines } from '../embedder/composite.ts'
import { RESULTS, TEXTS, passageText } from '../test-material/recorded.ts'
import { createBundledReranker, type BundledReranker } from './bundled-reranker.ts'

const corpus = TEXTS.passages.map((passage) => new Set(tokenize(passageText(passage))))
const statistics: NonNullable<RerankRequest['statistics']> = (terms) =>
  Promise.resolve({
    chunks: corpus.length,
    averageLength: 60,
    frequency: terms.map((term) => corpus.filter((tokens) => tokens.has(term)).length)
  })

let embedder: Embedder
let reranker: BundledReranker
let queries: QueryEmbedding[]
let passages: readonly PassageEmbedding[]
beforeAll(async () => {
  embedder = createBundledEmbedder({ tokenVectors: true })
  reranker = createBundledReranker({ tokenVectors: true })
  queries = await Promise.all(TEXTS.queries.map((query) => embedder.embedQuery(query)))
  passages = await embedder.embedPassages(TEXTS.passages.map(passageText))
})
afterAll(() => Promise.all([embedder.close(), reranker.close()]))

function candidate(i: number): RerankCandidate {
  const { title, text } = TEXTS.passages[i]!
  return { chunkId: `d#${i}`, title, headingPath: [], content: text, metadata: {}, ...passages[i]! }
}

function withoutTokens(whole: RerankCandidate): RerankCandidate {
  const { tokenVectors: _, ...rest } = whole
  return rest
}

function requestFor(query: number, candidates: readonly RerankCandidate[], topN = candidates.length): RerankRequest {
  return { query: TEXTS.queries[query]!, queryEmbedding: queries[query]!, candidates, topN, statistics }
}

const everyone = (): RerankCandidate[] => TEXTS.passages.map((_, i) => candidate(i))
/** A unit vector, its values a sampled wave. */
const wave = (width: number, step: number): Float32Array =>
  normalise(Float32Array.from({ length: width }, (_, i) => Math.sin(step * (i + 1))))
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
const rawOf = ({ parts }: RerankScore): number => Object.values(parts!).reduce((sum, part) => sum + part, 0)

describe('bundled reranker against Python', () => {
  it('finds the features that were recorded', async () => {
    for (const pair of RESULTS.pairs) {
      const [score] = await reranker.rerank(requestFor(pair.query, [candidate(pair.passage)]))
      const parts = score!.parts!
      const where = `${TEXTS.queries[pair.query]} / ${TEXTS.passages[pair.passage]!.title}`
      const near = (name: string, part: number | undefined, expected: number, tolerance: number): void =>
        expect(Math.abs(part! - expected), `${name} of ${where}`).toBeLessThan(tolerance)
      near('maxSim', parts['maxSim'], pair.storedMaxSim, 0.003)
      near('e5', parts['e5'], 0.3 * pair.e5, 0.002)
      near('use', parts['use'], 0.5 * pair.use, 0.002)
      near('identifiers', parts['identifiers'], 0.3 * pair.identifiers, 1e-9)
      near('title', parts['title'], 0.4 * pair.title, 1e-9)
      near('coverage', parts['coverage'], 0.3 * pair.coverage, 1e-9)
      near('otherLanguage', parts['otherLanguage'], 0.1 * pair.otherLanguage, 1e-9)
      near('length', parts['length'], -0.02 * Math.log(passages[pair.passage]!.tokenCount), 1e-9)
    }
  })

  it('loses little of exact MaxSim to clustering and two bits, even on these short texts', async () => {
    for (const { query, passage, maxSim } of RESULTS.pairs) {
      const [score] = await reranker.rerank(requestFor(query, [candidate(passage)]))
      expect(Math.abs(score!.parts!['maxSim']! - maxSim)).toBeLessThan(0.05)
    }
  })
})

describe('composite vectors', () => {
  it('give back the cosines of both models', () => {
    const [e5, other] = [wave(384, 0.7), wave(384, 0.71)]
    const [use, fourth] = [wave(512, 1.3), wave(512, 1.302)]
    const [left, right] = [composeVector(e5, use), composeVector(other, fourth)]
    const cosines = partCosines(left, right)
    expect(cosines.e5).toBeCloseTo(dot(e5, other), 5)
    expect(cosines.use).toBeCloseTo(dot(use, fourth), 5)
    expect(dot(left, right)).toBeCloseTo((cosines.e5 + 0.7 * cosines.use) / 1.7, 5)
  })
})

describe('bundled reranker', () => {
  it('puts the runbook that was asked for first, best first, scores in 0..1', async () => {
    const scores = await reranker.rerank(requestFor(0, everyone()))
    expect(TEXTS.passages[scores[0]!.index]!.title).toBe('MySQL 主从复制延迟处置手册')
    expect(scores).toHaveLength(TEXTS.passages.length)
    for (const { score } of scores) {
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(1)
    }
    const raw = scores.map(rawOf)
    expect(raw).toEqual(raw.toSorted((left, right) => right - left))
  })

  it('judges the whole pool however few are wanted', async () => {
    const all = await reranker.rerank(requestFor(3, everyone()))
    expect(await reranker.rerank(requestFor(3, everyone(), 2))).toEqual(all.slice(0, 2))
    expect(await reranker.rerank(requestFor(3, everyone(), 0))).toEqual([])
  })

  it('keeps candidate order among equals', async () => {
    const scores = await reranker.rerank(requestFor(0, [candidate(4), candidate(4), candidate(4)]))
    expect(scores.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(new Set(scores.map(({ score }) => score)).size).toBe(1)
  })

  it('asks for the statistics once, with distinct terms', async () => {
    const calls: (readonly string[])[] = []
    await reranker.rerank({
      ...requestFor(0, everyone()),
      statistics: (terms) => {
        calls.push(terms)
        return statistics(terms)
      }
    })
    expect(calls).toHaveLength(1)
    expect(new Set(calls[0]).size).toBe(calls[0]!.length)
  })

  it('finds words of the heading path and the title in the chunk, as the index does', async () => {
    const plain = candidate(0)
    const [without] = await reranker.rerank({ ...requestFor(0, [plain]), query: 'E_CONN_RESET 处置' })
    const [inPath] = await reranker.rerank({
      ...requestFor(0, [{ ...plain, headingPath: ['网络', 'E_CONN_RESET'] }]),
      query: 'E_CONN_RESET 处置'
    })
    expect(without!.parts!['identifiers']).toBe(0)
    expect(inPath!.parts!['identifiers']).toBeCloseTo(0.3, 9)
  })

  it('takes the formula without token vectors for the whole pool when one candidate lacks them', async () => {
    const mixed = await reranker.rerank(requestFor(0, [candidate(0), withoutTokens(candidate(1)), candidate(2)]))
    const none = await reranker.rerank(
      requestFor(
        0,
        [0, 1, 2].map((i) => withoutTokens(candidate(i)))
      )
    )
    expect(mixed).toEqual(none)
    expect(mixed).toHaveLength(3)
    for (const { parts } of mixed) expect(parts).not.toHaveProperty('maxSim')
    const { tokenVectors: _, ...vectorOnly } = queries[0]!
    const query = await reranker.rerank({
      ...requestFor(0, [candidate(0), candidate(1), candidate(2)]),
      queryEmbedding: vectorOnly
    })
    expect(query).toEqual(none)
  })

  it('reads views into a larger buffer without taking it away from their owner', async () => {
    const own = candidate(5)
    const store = new Uint8Array(own.tokenVectors!.length + 100)
    store.set(own.tokenVectors!, 40)
    const view = store.subarray(40, 40 + own.tokenVectors!.length)
    const [expected] = await reranker.rerank(requestFor(2, [own]))
    expect(await reranker.rerank(requestFor(2, [{ ...own, tokenVectors: view }]))).toEqual([expected])
    expect(store.length).toBe(own.tokenVectors!.length + 100)
    expect(queries[2]!.tokenVectors!.length).toBeGreaterThan(0)
  })

  it('says which chunk has no vector, a foreign one, or broken token vectors', async () => {
    const { vector: _, ...bare } = candidate(1)
    await expect(reranker.rerank(requestFor(0, [candidate(0), bare]))).rejects.toMatchObject({
      failure: 'invalid-argument',
      subject: 'd#1'
    })
    const foreign = { ...candidate(1), vector: new Float32Array(768).fill(0.1) }
    await expect(reranker.rerank(requestFor(0, [foreign]))).rejects.toMatchObject({ failure: 'model-mismatch' })
    const broken = { ...candidate(1), tokenVectors: new Uint8Array(10) }
    const error: unknown = await reranker
      .rerank(requestFor(0, [candidate(0), broken]))
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(PortError)
    expect(error).toMatchObject({ failure: 'corrupt', subject: 'd#1', hint: 'Index the document again.' })
  })

  it('wants statistics, and passes their failure on', async () => {
    const { statistics: _, ...request } = requestFor(0, [candidate(0)])
    await expect(reranker.rerank(request)).rejects.toMatchObject({ failure: 'invalid-argument' })
    const failure = new PortError('unavailable', { operation: 'count', subject: 'index', reason: 'is gone' })
    await expect(reranker.rerank({ ...request, statistics: () => Promise.reject(failure) })).rejects.toBe(failure)
  })

  it('stops with the signal’s reason, and answers the next request', async () => {
    const reason = new Error('deadline')
    const abort = new AbortController()
    const work = reranker.rerank(requestFor(0, everyone()), abort.signal)
    abort.abort(reason)
    await expect(work).rejects.toBe(reason)
    await expect(reranker.rerank(requestFor(0, everyone()), AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(await reranker.rerank(requestFor(0, [candidate(0)]))).toHaveLength(1)
  })

  it('answers nothing for nothing, and refuses after it is closed', async () => {
    const own = createBundledReranker({ tokenVectors: false })
    expect(own.needs).toEqual({ vectors: true, tokenVectors: false, statistics: true })
    expect(await own.rerank(requestFor(0, []))).toEqual([])
    await own.warm()
    await own.close()
    await expect(own.rerank(requestFor(0, [candidate(0)]))).rejects.toMatchObject({ failure: 'closed' })
  })
})
