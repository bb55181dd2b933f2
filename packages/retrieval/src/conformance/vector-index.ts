import type { KnowledgeIndex, Recall, Scope } from '../ports/index.ts'
import { indexSuite, scopeOf } from './index-suite.ts'
import type { IndexCase, IndexContext, IndexSuiteOptions } from './index-suite.ts'
import { MemoryIndex } from './memory-index.ts'
import { Random } from './random.ts'
import { randomScope, writeRandomWorld } from './random-world.ts'
import { rankingFault } from './ranking-fault.ts'
import { scopingCases } from './scoping-cases.ts'
import { chunksOf, documentOf, normalised, pairOf, unitVector, vectorOfText } from './test-data.ts'
import { rejectionOf } from './test-api.ts'
import type { TestApi } from './test-api.ts'

/** Absolute; float32 sums of a few hundred products differ by about this much with the order of summing. */
const SCORE_TOLERANCE = 1e-5
const EVERYTHING = 1_000_000

const home = pairOf('tenant', 'kb')

/** Every guarantee of an exact `VectorIndex`; an approximate one names the cases that it skips, with the reason. */
export function vectorIndexConformance(
  test: TestApi,
  create: () => Promise<KnowledgeIndex>,
  options: IndexSuiteOptions = {}
): void {
  test.describe('vector index', () => indexSuite(test, { ...cases, ...scopingCases(search) }, create, options))
}

function search({ index, dimension }: IndexContext, text: string, scope: Scope, limit = 20): Promise<Recall> {
  return index.vector.search({ vector: vectorOfText(text, dimension), scope, limit })
}

const cases: Readonly<Record<string, IndexCase>> = {
  'equals brute force in any union of knowledge bases with any filters, over replaced and deleted documents': async ({
    index,
    expect,
    dimension,
    rounds
  }) => {
    const random = new Random(3)
    const reference = new MemoryIndex(dimension)
    const world = await writeRandomWorld([index.writer, reference.writer], random, dimension)
    for (let round = 0; round < rounds; round++) {
      const scope = randomScope(world, random)
      const vector = unitVector(dimension, random)
      const limit = random.pick([1, 3, 20])
      const actual = await index.vector.search({ vector, scope, limit })
      const all = await reference.vector.search({ vector, scope, limit: EVERYTHING })
      const fault = rankingFault(actual, all, { tolerance: SCORE_TOLERANCE, limit })
      expect({ round, scope, fault }).toEqual({ round, scope, fault: null })
    }
  },

  'says that it is exact': async ({ index, expect }) => {
    expect(index.vector.capabilities.exact).toBe(true)
  },

  'scores by cosine from 1 to -1: the further away, the lower': async ({ index, expect, dimension }) => {
    const axis = (along: number, across: number): Float32Array => {
      const vector = new Float32Array(dimension)
      vector.set([along, across])
      return normalised(vector)
    }
    const directions = [axis(-1, 0), axis(0, 1), axis(1, 0), axis(1, 1), axis(-1, 1)]
    const drafts = directions.map((vector, order) => ({ content: `direction ${order}`, vector }))
    await index.writer.replaceDocument(documentOf(home, 'd'), chunksOf(drafts))
    const { hits } = await index.vector.search({ vector: axis(1, 0), scope: scopeOf(home), limit: 20 })
    expect(hits.map((hit) => hit.chunkId)).toEqual(['d#0002', 'd#0003', 'd#0001', 'd#0004', 'd#0000'])
    const expected = [1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1]
    expect(hits.every((hit, rank) => Math.abs(hit.score - expected[rank]!) < SCORE_TOLERANCE)).toBe(true)
  },

  'tells vectors apart that differ in the last decimals': async ({ index, expect, dimension }) => {
    const random = new Random(4)
    const centre = unitVector(dimension, random)
    const drafts = Array.from({ length: 60 }, (_, order) => ({
      content: `near ${order}`,
      vector: normalised(centre.map((value) => value + (random.next() - 0.5) * 0.01))
    }))
    const reference = new MemoryIndex(dimension)
    const chunks = chunksOf(drafts)
    for (const { writer } of [index, reference]) await writer.replaceDocument(documentOf(home, 'd'), chunks)
    const request = { vector: centre, scope: scopeOf(home) }
    const actual = await index.vector.search({ ...request, limit: 20 })
    const all = await reference.vector.search({ ...request, limit: EVERYTHING })
    expect(rankingFault(actual, all, { tolerance: 1e-6, limit: 20 })).toBe(null)
  },

  'refuses a query of another width, or with a number that is not finite': async ({ index, expect, dimension }) => {
    const notFinite = new Float32Array(dimension).fill(Number.NaN)
    for (const vector of [new Float32Array(dimension + 1).fill(0.1), new Float32Array(0), notFinite]) {
      const error = await rejectionOf(index.vector.search({ vector, scope: scopeOf(home), limit: 20 }))
      expect((error as { failure?: unknown } | undefined)?.failure).toBe('invalid-argument')
    }
  },

  'rejects with the reason of an aborted signal': async (context) => {
    const signal = AbortSignal.abort(new Error('the caller left'))
    const request = { vector: vectorOfText('disk', context.dimension), scope: scopeOf(home), limit: 20 }
    context.expect(await rejectionOf(context.index.vector.search(request, signal))).toBe(signal.reason)
  }
}
