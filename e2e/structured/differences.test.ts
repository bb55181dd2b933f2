import { DEFAULT_KNOWLEDGE_TYPES, type StructuredAnswer, type StructuredHit } from '@oncall-agent/retrieval'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Asked, ask, read, type Reference, refer } from './test-support/ask.ts'
import { pairsOf, streamOf } from './test-support/collection.ts'
import { difference, partsFault } from './test-support/differences.ts'
import { generatedCollection } from './test-support/generated-collection.ts'
import { OracleIndex } from './test-support/oracle-index.ts'

const collection = generatedCollection(2)
const knowledgeTypes = DEFAULT_KNOWLEDGE_TYPES
const oracle = new OracleIndex({ knowledgeTypes, lengths: 'exact', statistics: 'scope' })
const vectors = new Map(collection.entries.map((entry) => [entry.documentId + entry.knowledgeBaseId, entry.vector]))
const vectorOf = (document: StructuredHit['document']): Float32Array | undefined =>
  vectors.get(document.documentId + document.knowledgeBaseId)

let asked: Asked
let answer: StructuredAnswer
let reference: Reference
beforeAll(async () => {
  await oracle.rebuild(streamOf(collection.entries))
  const request = { mode: 'loose', keywords: ['disk', '网关'], query_text: '磁盘 full', size: 100 }
  asked = read({ kind: '', request, pairs: pairsOf(collection), settings: { rrfWindow: 20 } }, knowledgeTypes)
  answer = await ask(oracle, asked)
  reference = await refer(oracle, asked)
})

const placeOf = ({ document }: StructuredHit): string =>
  `${document.tenantId}/${document.knowledgeBaseId}/${document.documentId}`

/** The answer with one hit that is otherwise. */
const withHit = (rank: number, part: Partial<StructuredHit>): StructuredAnswer => ({
  ...answer,
  hits: answer.hits.map((hit, at) => (at === rank ? { ...hit, ...part } : hit))
})
const at = (wanted: (hit: StructuredHit) => boolean): number => answer.hits.findIndex(wanted)
const found = (actual: StructuredAnswer, ranks = true): string | null => difference({ actual, ...reference }, ranks)

describe('the comparison of two answers', () => {
  it('finds nothing in the same answer', () => {
    expect(answer.hits).toHaveLength(100)
    expect([found(answer), found(answer, false), partsFault(answer, asked, vectorOf)]).toEqual([null, null, null])
  })

  it('finds a score that is off by two millionths, and not one that is off by half of one', () => {
    const score = answer.hits[0]!.score
    expect(found(withHit(0, { score: score * (1 + 2e-6) }))).toMatch(/^score of|^rank 1: score of/)
    expect(found(withHit(0, { score: score * (1 + 5e-7) }))).toBeNull()
  })

  it('finds another order, another document, a hit too few, another total, status or facet', () => {
    const { hits } = answer
    const rank = hits.findIndex(({ score }, index) => score - hits[index + 1]!.score > 1e-3)
    const swapped = hits.with(rank, hits[rank + 1]!).with(rank + 1, hits[rank]!)
    expect(found({ ...answer, hits: swapped })).toBe(`rank ${rank + 1}: ${placeOf(hits[rank]!)} should stand here`)
    expect(found({ ...answer, hits: swapped }, false)).toBeNull()
    const other = { ...hits[0]!, document: { ...hits[0]!.document, documentId: 'another' } }
    for (const ranks of [true, false]) {
      expect(found({ ...answer, hits: hits.with(0, other) }, ranks)).toMatch(/does not match/)
      expect(found({ ...answer, hits: hits.slice(1) }, ranks)).toMatch(/^99 hits/)
      expect(found({ ...answer, total: answer.total + 1 }, ranks)).toMatch(/^total/)
      expect(found({ ...answer, status: 'strict_hit' }, ranks)).toMatch(/^status/)
      expect(found({ ...answer, facetsTruncated: { project: 0, equipment: 0, error_codes: 1 } }, ranks)).toMatch(
        /^facets/
      )
    }
  })
})

describe('the sum of the parts', () => {
  it('must give the score, with the vector part of the very document', () => {
    const rank = at(({ vectorPart, bm25 }) => vectorPart > 0 && bm25 > 0)
    const { score, bm25, vectorPart } = answer.hits[rank]!
    const fault = (part: Partial<StructuredHit>): string | null => partsFault(withHit(rank, part), asked, vectorOf)
    expect(fault({ score: score * (1 + 2e-6) })).toMatch(/^score/)
    expect(fault({ bm25: bm25 + 0.01 })).toMatch(/^score/)
    expect(fault({ bm25: bm25 + 0.01, vectorPart: vectorPart - 0.01 })).toMatch(/^vector part/)
  })

  it('must have been rescored within the window, and nowhere else', () => {
    const all = { ...answer, total: answer.hits.length }
    const inside = at(({ vectorPart }) => vectorPart > 0)
    const faultOf = (rank: number, vectorPart: number): string | null => {
      const { bm25 } = all.hits[rank]!
      const hit = { vectorPart, score: bm25 / 2 + vectorPart / 2 }
      return partsFault({ ...withHit(rank, hit), total: all.total }, asked, vectorOf)
    }
    expect(partsFault(all, asked, vectorOf)).toBeNull()
    expect(faultOf(inside, 0)).toMatch(/stands in the window/)
    const outside = at(({ vectorPart, document }) => vectorPart === 0 && vectorOf(document) !== undefined)
    expect(faultOf(outside, 1)).toMatch(/^vector part/)
    const last = answer.hits.findLastIndex(({ document }) => vectorOf(document) !== undefined)
    const wide = { ...asked, settings: { ...asked.settings, rrfWindow: 19 } }
    expect(partsFault(all, wide, vectorOf)).toMatch(/were rescored, not 19|stands behind the window/)
    expect(last).toBeGreaterThan(outside)
  })

  it('must be BM25 alone where nothing was rescored', () => {
    const plain = { ...answer, stages: answer.stages.map((stage) => ({ ...stage, rescore: 'skipped' as const })) }
    expect(partsFault(plain, asked, vectorOf)).toMatch(/^score|nothing was rescored/)
  })
})
