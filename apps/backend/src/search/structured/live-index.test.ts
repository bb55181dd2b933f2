import {
  checkStructuredRequest,
  DEFAULT_KNOWLEDGE_TYPES,
  DEFAULT_STRUCTURED_SETTINGS,
  searchStructured,
  type StructuredAnswer,
  type StructuredIndex,
  WITHOUT_LIMIT
} from '@oncall-agent/retrieval'
import { MemoryStructuredIndex, structuredCollection, vectorOfText } from '@oncall-agent/retrieval/conformance'
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

  it('that goes while it is searched is left out of the page, the total, the facets and what is nearest', async () => {
    const request = {
      pairs: [runbooks],
      filters: {},
      mode: 'all' as const,
      clauses: [{ tokens: ['fan'], minimum: 1 }],
      titleBoost: 3,
      from: 0,
      size: 3
    }
    const index = await plantIndex()
    const live = liveIndex(index, deletedOf(['fan-0', 'fan-2'], ['fan-0']))
    const page = await live.match(request)
    expect(page.total).toBe(8)
    expect(page.hits.map(({ document }) => document.documentId)).toEqual(['fan-1', 'fan-3', 'fan-4'])
    const { errorCodes } = await live.facets({ ...request, fields: ['errorCodes'], buckets: 20 })
    expect(errorCodes!.buckets.map(({ value }) => value)).toEqual(['F1', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9'])
    const vector = vectorOfText('valve', DIMENSION)
    const near = { pairs: [runbooks], filters: {}, vector, k: 2, numCandidates: 2 }
    const nearest = await liveIndex(index, deletedOf(['valve'], [])).nearest(near)
    expect(nearest.hits.map(({ document }) => document.documentId).toSorted()).toEqual(['pump', 'pump-2'])
  })

  it('costs one page and one question for what is leaving, whatever is leaving', async () => {
    const index = await plantIndex()
    const asked: unknown[] = []
    const match: StructuredIndex['match'] = async (request) => {
      asked.push([request.from, request.size, request.without])
      return index.match(request)
    }
    const leaving = async (pairs: unknown, limit: number) => {
      asked.push([pairs, limit])
      return ['fan-1']
    }
    const live = liveIndex(
      { match, facets: index.facets.bind(index), nearest: index.nearest.bind(index) },
      { leaving, among: async () => new Set() }
    )
    const request = { pairs: [runbooks], filters: {}, mode: 'all' as const, clauses: [], titleBoost: 3 }
    await live.match({ ...request, from: 2, size: 3 })
    await live.match({ ...request, from: 0, size: 1 })
    expect(asked).toEqual([
      [[runbooks], WITHOUT_LIMIT + 1],
      [2, 3, ['fan-1']],
      [0, 1, ['fan-1']]
    ])
  })

  it('is one of too many to leave out: then the search is unavailable, and nothing is told that may be wrong', async () => {
    const index = await plantIndex()
    const ids = Array.from({ length: WITHOUT_LIMIT + 1 }, (_, at) => `gone-${at}`)
    const bench = (leaving: readonly string[]) => benchOver(index, { deleted: deletedOf([], leaving) })
    const answer = await searchDocuments({ keywords: ['fan'] }, ada, bench(ids.slice(1)))
    expect(answer).toMatchObject({ status: 'too_many', total: 10 })
    const failure = searchDocuments({ keywords: ['fan'] }, ada, bench(ids))
    await expect(failure).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE', cause: { failure: 'unavailable' } })
  })

  it('for ever, one after another, ends in an error', async () => {
    const index = await plantIndex()
    const deleted = { leaving: async () => [], among: async (ids: readonly string[]) => new Set(ids.slice(0, 1)) }
    const failure = searchDocuments({ keywords: ['fan'], size: 1, mode: 'loose' }, ada, benchOver(index, { deleted }))
    await expect(failure).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE', cause: { failure: 'unavailable' } })
  })
})

/** What does not follow from statistics, in which a document counts until it has left the index. */
function comparable({ status, total, hits, facets, facetsTruncated, banner }: StructuredAnswer, size: number) {
  const isWhole = total <= size && hits.length === total
  const shown = isWhole ? hits.map(({ document }) => document.documentId).toSorted() : hits.length
  return { status, total, shown, facets, facetsTruncated, banner }
}
