import {
  checkStructuredRequest,
  DEFAULT_KNOWLEDGE_TYPES,
  DEFAULT_STRUCTURED_SETTINGS,
  searchStructured,
  type StructuredAnswer,
  type StructuredIndex
} from '@oncall-agent/retrieval'
import { entryOf, MemoryStructuredIndex, structuredCollection, vectorOfText } from '@oncall-agent/retrieval/conformance'
import { describe, expect, it } from 'vitest'
import { ada, benchOver, DIMENSION, plantIndex, runbooks } from '../test-material/structured-room.ts'
import { type DeletedDocuments, liveIndex } from './live-index.ts'
import { searchDocuments } from './search-documents.ts'

const memory = (): MemoryStructuredIndex =>
  new MemoryStructuredIndex({ dimension: DIMENSION, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })

function deletedOf(ids: readonly string[], leaving = ids): DeletedDocuments {
  return {
    among: async (asked) => new Set(asked.filter((id) => ids.includes(id))),
    leaving: async () => leaving
  }
}

describe('a document that the facts call deleted', () => {
  it('is in no page, and the ladder goes on as if it were not there', async () => {
    const index = await plantIndex()
    const without = (ids: readonly string[], request: unknown) =>
      searchDocuments(request, ada, benchOver(index, { deleted: deletedOf(ids) }))
    expect(await without(['pump'], { keywords: ['保险丝'] })).toMatchObject({ status: 'no_hit', total: 0 })
    expect(await without(['pump-2'], { keywords: ['float', 'second'] })).toMatchObject({
      status: 'loose_hit',
      total: 1
    })
    expect(await without(['fan-1', 'fan-2'], { keywords: ['fan'] })).toMatchObject({ status: 'strict_hit', total: 8 })
    const many = await without(['fan-1', 'valve'], { keywords: ['fan'] })
    expect(many).toMatchObject({ status: 'too_many', total: 9 })
    expect(many.facets?.project[1]).toEqual({ value: 'line-2', count: 3 })
    expect(many.facets?.error_codes.map(({ value }) => value)).not.toContain('F1')
    const nearest = await without(['valve'], { query_text: 'valve', mode: 'vector_only', size: 2 })
    expect(nearest.hits.map((hit) => hit.document_id)).toEqual(expect.not.arrayContaining(['valve']))
    expect([nearest.total, nearest.hits.length]).toEqual([2, 2])
  })

  it('is not shown either when nobody knows any more that it is leaving the index', async () => {
    const index = await plantIndex()
    const deleted = deletedOf(['pump-2'], [])
    const answer = await searchDocuments({ keywords: ['float'] }, ada, benchOver(index, { deleted }))
    expect([answer.total, answer.hits.map((hit) => hit.document_id)]).toEqual([1, ['note']])
  })

  it('moves nothing of an answer but what is its own: statuses, totals, facets and documents are those without it', async () => {
    const compared = { searches: 0, facets: 0, changed: 0 }
    for (let seed = 1; seed <= 40; seed++) {
      const { entries, searches } = structuredCollection(seed, DIMENSION)
      const ids = [...new Set(entries.map(({ documentId }) => documentId))].filter((_, at) => (at + seed) % 3 === 0)
      const [whole, live] = [memory(), memory()]
      for (const entry of entries) {
        await whole.replaceDocument(entry)
        if (!ids.includes(entry.documentId)) await live.replaceDocument(entry)
      }
      for (const { request, pairs } of searches) {
        const { question } = checkStructuredRequest(request, {
          pairs,
          knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES,
          maxResultWindow: 10_000
        })
        const answerOf = (index: Pick<StructuredIndex, 'match' | 'facets' | 'nearest'>) =>
          searchStructured(question!, {
            index,
            settings: { ...DEFAULT_STRUCTURED_SETTINGS, strictMaxHits: 4 },
            embed: async (text) => vectorOfText(text, DIMENSION),
            now: () => 0
          })
        const found = comparable(await answerOf(liveIndex(whole, deletedOf(ids))), question!.size)
        const expected = comparable(await answerOf(live), question!.size)
        expect({ seed, request, ...found }).toEqual({ seed, request, ...expected })
        compared.searches++
        if (found.facets !== undefined) compared.facets++
        if ((await answerOf(whole)).total !== found.total) compared.changed++
      }
    }
    expect(compared).toEqual({ searches: 480, facets: expect.any(Number), changed: expect.any(Number) })
    expect(compared.facets).toBeGreaterThan(20)
    expect(compared.changed).toBeGreaterThan(100)
  })

  it('is found among a thousand others, and its page keeps its length', async () => {
    const index = memory()
    for (let at = 0; at < 1_200; at++) {
      await index.replaceDocument(entryOf(runbooks, `d${at}`, { title: 'fan', createdAt: at, errorCodes: [`E${at}`] }))
    }
    const gone = ['d0', 'd1', 'd500', 'd999']
    const live = liveIndex(index, deletedOf(gone))
    const request = {
      pairs: [runbooks],
      filters: {},
      mode: 'all' as const,
      clauses: [{ tokens: ['fan'], minimum: 1 }],
      titleBoost: 3,
      from: 498,
      size: 3
    }
    const page = await live.match(request)
    expect(page.total).toBe(1_196)
    expect(page.hits.map(({ document }) => document.documentId)).toEqual(['d501', 'd502', 'd503'])
    const { errorCodes } = await live.facets({ ...request, fields: ['errorCodes'], buckets: 20 })
    expect(errorCodes).toMatchObject({ truncated: 1_176 })
    expect(errorCodes!.buckets).toHaveLength(20)
    expect(errorCodes!.buckets.filter(({ value }) => value === 'E0' || value === 'E1')).toEqual([])
  })
})

/** What does not follow from statistics, in which a document counts until it has left the index. */
function comparable({ status, total, hits, facets, facetsTruncated, banner }: StructuredAnswer, size: number) {
  const isWhole = total <= size && hits.length === total
  const shown = isWhole ? hits.map(({ document }) => document.documentId).toSorted() : hits.length
  return { status, total, shown, facets, facetsTruncated, banner }
}
