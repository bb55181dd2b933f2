import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askStructured, MemoryStructuredIndex, structuredCollection, vectorOfText } from '../../conformance/index.ts'
import { oracleAnswer } from '../../test-material/structured-oracle.ts'
import { DEFAULT_KNOWLEDGE_TYPES, DEFAULT_STRUCTURED_SETTINGS } from '../request/index.ts'

const DIMENSION = 8
/** Collections tried; each comes with a dozen searches. */
const COLLECTIONS = 60
/** Of scores. */
const ROUNDING = 1e-9

const settings = fc.record({
  strictMaxHits: fc.integer({ min: 1, max: 10 }),
  titleBoost: fc.constantFrom(0, 0.5, 3),
  rrfWindow: fc.integer({ min: 1, max: 20 }),
  vectorWeight: fc.constantFrom(0.2, 0.5, 1),
  looseMinMatch: fc.constantFrom(0.4, 0.6, 1)
})

describe('the ladder on the memory index', () => {
  it('answers what the contract says, over generated collections and settings', async () => {
    const seen = new Set<string>()
    const compared = { hits: 0, facets: 0 }
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), settings, async (seed, varied) => {
        const index = new MemoryStructuredIndex({ dimension: DIMENSION, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
        const { entries, searches } = structuredCollection(seed, DIMENSION)
        for (const entry of entries) await index.replaceDocument(entry)
        for (const { request, pairs } of searches) {
          const all = { ...DEFAULT_STRUCTURED_SETTINGS, ...varied }
          const vectorOf = (text: string): Float32Array => vectorOfText(text, DIMENSION)
          const expected = oracleAnswer(request, { entries, pairs, settings: all, vectorOf })
          const actual = await askStructured(index, request, { pairs, settings: varied })
          expect({ status: actual.status, total: actual.total }).toEqual({
            status: expected.status,
            total: expected.total
          })
          const { from_: from = 0, size = 10 } = request
          const page = expected.ranking.slice(from, from + size)
          expect(actual.hits.length).toBe(page.length)
          compared.hits += page.length
          const scores = new Map(expected.ranking.map(({ id, score }) => [id, score]))
          for (const [rank, { document, score }] of actual.hits.entries()) {
            // Sums in another order may round differently, and so swap two that score the same.
            expect(Math.abs(score - scores.get(document.documentId)!)).toBeLessThan(ROUNDING)
            const isPlaced = document.documentId === page[rank]!.id || Math.abs(score - page[rank]!.score) < ROUNDING
            expect(isPlaced).toBe(true)
          }
          for (const [name, counts] of Object.entries(expected.values ?? {})) {
            const facet = name as 'project' | 'equipment' | 'error_codes'
            const shown = actual.facets![facet]
            expect(shown.length).toBe(Math.min(20, Object.keys(counts).length))
            compared.facets += shown.length
            for (const { value, count } of shown) expect(counts[value]).toBe(count)
            const inAll = Object.values(counts).reduce((total, count) => total + count, 0)
            const inShown = shown.reduce((total, { count }) => total + count, 0)
            expect(actual.facetsTruncated![facet]).toBe(inAll - inShown)
          }
          seen.add(actual.status)
        }
      }),
      { numRuns: COLLECTIONS }
    )
    expect([...seen].toSorted()).toEqual(['loose_hit', 'no_hit', 'strict_hit', 'too_many', 'vector_only'])
    expect(Math.min(compared.hits, compared.facets)).toBeGreaterThan(COLLECTIONS)
  })

  it('finds more or as much the looser it looks, and never outside a filter', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), async (seed) => {
        const index = new MemoryStructuredIndex({ dimension: DIMENSION, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
        const { entries, searches } = structuredCollection(seed, DIMENSION)
        for (const entry of entries) await index.replaceDocument(entry)
        for (const { request, pairs } of searches) {
          const { from_: _, ...first } = request
          const narrowed = { ...first, keywords: ['disk', '网关'], project: 'pay', size: 100 }
          const strict = await askStructured(index, { ...narrowed, mode: 'strict' }, { pairs })
          const loose = await askStructured(index, { ...narrowed, mode: 'loose' }, { pairs })
          expect(loose.total).toBeGreaterThanOrEqual(strict.total)
          expect(loose.hits.filter((hit) => hit.document.project !== 'pay')).toEqual([])
          found += loose.hits.length
        }
      }),
      { numRuns: COLLECTIONS }
    )
    expect(found).toBeGreaterThan(COLLECTIONS)
  })
})
