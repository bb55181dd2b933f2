import { AppError } from '@oncall-agent/api-contracts'
import { PortError, type StructuredIndex } from '@oncall-agent/retrieval'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ada,
  benchOver,
  DIMENSION,
  plantIndex,
  type StructuredBench,
  wordEmbedder
} from '../test-material/structured-room.ts'
import { searchDocuments } from './search-documents.ts'

let index: StructuredIndex
beforeAll(async () => {
  index = await plantIndex()
})

const secretive = new Error('connect ECONNREFUSED http://key:sk-123@10.0.0.7:9200')
const never = () => new Promise<never>(() => undefined)
const unavailable = () =>
  Promise.reject(new PortError('unavailable', { operation: 'embed query', subject: 'words', reason: 'it is down' }))
const vectorOf = (values: readonly number[]) => async () => ({ vector: Float32Array.from(values), tokenCount: 1 })

/** An engine elsewhere that can not be reached. */
const down = () =>
  Promise.reject(
    new PortError('unavailable', {
      operation: 'match',
      subject: 'http://10.0.0.7',
      reason: 'refused',
      cause: secretive
    })
  )

/** The index, of which some calls do something else. */
function broken(calls: Partial<Pick<StructuredIndex, 'match' | 'facets' | 'nearest'>>): StructuredIndex {
  const { match, facets, nearest } = index
  const bound = { match: match.bind(index), facets: facets.bind(index), nearest: nearest.bind(index) }
  return { engine: 'memory', capabilities: index.capabilities, ...bound, ...calls } as StructuredIndex
}

async function failing(bench: StructuredBench, request: unknown = { keywords: ['pump'] }, signal?: AbortSignal) {
  return searchDocuments(request, ada, bench, signal === undefined ? {} : { signal }).then(
    () => expect.unreachable('it was answered'),
    (error: unknown) => error
  )
}

describe('an embedder that is down', () => {
  it.each([
    ['refuses', unavailable],
    ['throws what it should not', () => Promise.reject(secretive)],
    ['never answers', never],
    ['gives another width', vectorOf([1, 2, 3])],
    ['gives what is no number', vectorOf(Array.from({ length: DIMENSION }, () => Number.NaN))],
    ['gives zeros', vectorOf(Array.from({ length: DIMENSION }, () => 0))]
  ])('and %s leaves status and documents as they are, ordered by words, and is told once', async (_how, embedQuery) => {
    const limits = { deadlineMs: 60_000, embedMs: 50 }
    const bench = benchOver(index, { embedder: wordEmbedder(embedQuery), limits })
    for (const [keywords, status, total] of [
      [['pump', 'float'], 'strict_hit', 1],
      [['valve', 'float'], 'loose_hit', 3]
    ] as const) {
      bench.told.embedder.length = 0
      const answer = await searchDocuments({ keywords, query_text: 'pump' }, ada, bench)
      expect([answer.status, answer.total]).toEqual([status, total])
      expect(answer.hits.map((hit) => [hit.score - hit.bm25, hit.vector_part])).toEqual(answer.hits.map(() => [0, 0]))
      expect(answer.stages[0]).toMatchObject({ name: 'embed', status: 'failed', found: 0 })
      const ladder = answer.stages.slice(1)
      expect(ladder.every((stage) => stage.rescore === 'skipped' && stage.reason === 'embedder_down')).toBe(true)
      expect(bench.told.embedder).toEqual([expect.any(PortError)])
      expect(bench.told.stored.at(-1)?.status).toBe(status)
    }
    expect(bench.told.engine).toEqual([])
  })

  it('finds nothing by meaning, and says why', async () => {
    const bench = benchOver(index, { embedder: wordEmbedder(unavailable) })
    const answer = await searchDocuments({ query_text: 'pump', mode: 'vector_only' }, ada, bench)
    expect(answer).toMatchObject({ status: 'no_hit', total: 0, hits: [] })
    expect(answer.stages.at(-1)).toMatchObject({ name: 'vector_only', status: 'skipped', reason: 'embedder_down' })
    expect(bench.told.embedder).toHaveLength(1)
  })

  it('is not asked, and not missed, where meaning weighs nothing', async () => {
    const bench = benchOver(index, { embedder: wordEmbedder(unavailable) })
    const request = { keywords: ['float'], query_text: 'pump', settings: { vector_weight: 0 } }
    const { status, stages } = await searchDocuments(request, ada, bench)
    expect([status, stages.map(({ reason }) => reason)]).toEqual(['strict_hit', ['weight_is_zero']])
    expect(bench.told.embedder).toEqual([])
  })
})

describe('an engine that is down', () => {
  it.each<[string, () => Partial<StructuredBench['parts']>, unknown]>([
    ['when it is opened', () => ({ index: down }), { keywords: ['pump'] }],
    ['at the strict stage', () => ({ index: async () => broken({ match: down }) }), { keywords: ['pump'] }],
    ['at the facets', () => ({ index: async () => broken({ facets: down }) }), { keywords: ['fan'] }],
    ['by meaning', () => ({ index: async () => broken({ nearest: down }) }), { query_text: 'x', mode: 'vector_only' }]
  ])('%s is an error with a fixed message, told once, and never an empty answer', async (_when, parts, request) => {
    const bench = benchOver(index, parts())
    const error = await failing(bench, request)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      message: 'Structured search is temporarily unavailable.',
      details: undefined,
      cause: expect.any(PortError)
    })
    expect(bench.told.engine).toHaveLength(1)
    expect(bench.told.stored).toEqual([])
  })

  it.each([
    ['corrupt', 'DATA_CORRUPT'],
    ['locked', 'DATA_LOCKED'],
    ['model-mismatch', 'INDEX_MODEL_MISMATCH'],
    ['closed', 'SYSTEM_UNAVAILABLE'],
    ['invalid-argument', 'INTERNAL']
  ] as const)('a fault of the kind %s is told as %s', async (failure, code) => {
    const fault = new PortError(failure, { operation: 'match', subject: '10.0.0.7:9200', reason: 'it is so' })
    const bench = benchOver(broken({ match: () => Promise.reject(fault) }))
    expect(await failing(bench)).toMatchObject({ code, message: expect.not.stringContaining('10.0.0.7'), cause: fault })
    expect(bench.told.engine).toEqual([fault])
  })

  it('and never answers is given up at the deadline', async () => {
    const bench = benchOver(broken({ match: never }), { limits: { deadlineMs: 50, embedMs: 40 } })
    expect(await failing(bench)).toMatchObject({ code: 'SYSTEM_UNAVAILABLE', subject: 'deadline' })
    expect(bench.told.engine).toHaveLength(1)
  })

  it('is not blamed for an embedder that takes all the time there is', async () => {
    const limits = { deadlineMs: 50, embedMs: 60_000 }
    const bench = benchOver(index, { embedder: wordEmbedder(never), limits })
    expect(await failing(bench)).toMatchObject({ code: 'SYSTEM_UNAVAILABLE', subject: 'deadline' })
    expect(bench.told.engine).toEqual([])
  })
})

describe('a search that fails otherwise', () => {
  it('for a fault of this code is that fault, and no outage', async () => {
    const fault = new TypeError('x is undefined')
    const bench = benchOver(broken({ match: () => Promise.reject(fault) }))
    expect(await failing(bench)).toBe(fault)
    expect(bench.told.engine).toEqual([])
  })

  it('for facts that can not be asked is their error: a deleted document must not be shown for lack of an answer', async () => {
    const locked = new AppError('DATA_LOCKED', { operation: 'ask facts' })
    const bench = benchOver(index, {
      deleted: { among: () => Promise.reject(locked), leaving: async () => [] }
    })
    expect(await failing(bench)).toBe(locked)
    expect(bench.told.engine).toEqual([])
  })

  it('because its caller gave up ends with their reason, is recorded nowhere and blames nobody', async () => {
    const caller = new AbortController()
    const match = () => {
      caller.abort(new Error('gone'))
      return never()
    }
    const bench = benchOver(broken({ match }))
    expect(await failing(bench, { keywords: ['pump'] }, caller.signal)).toMatchObject({ message: 'gone' })
    expect([bench.told.engine, bench.told.stored, bench.told.embedder]).toEqual([[], [], []])
  })
})
