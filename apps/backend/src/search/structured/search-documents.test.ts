import { AppError, searchResponseSchema } from '@oncall-agent/api-contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_STRUCTURED_SETTINGS } from '@oncall-agent/retrieval'
import type { MemoryStructuredIndex } from '@oncall-agent/retrieval/conformance'
import { ada, benchOver, foreign, notes, plantIndex, runbooks } from '../test-material/structured-room.ts'
import { searchDocuments } from './search-documents.ts'

let index: MemoryStructuredIndex
beforeAll(async () => {
  index = await plantIndex()
})

const ask = (request: unknown, language?: 'zh' | 'en') =>
  searchDocuments(request, ada, benchOver(index), language === undefined ? {} : { language })
const refusal = async (request: unknown): Promise<AppError> => {
  const untouched = benchOver(index, {
    index: async () => {
      throw new Error('the engine was asked')
    }
  })
  return searchDocuments(request, ada, untouched).then(
    () => expect.unreachable('it was answered'),
    (error: AppError) => error
  )
}

/** The window that an answer was made with, where the server's own is another. */
async function windowOf(asked: number, own: number): Promise<number> {
  const bench = benchOver(index, { settings: { ...DEFAULT_STRUCTURED_SETTINGS, rrfWindow: own } })
  const request = { keywords: ['fan'], settings: { rrf_window: asked } }
  return (await searchDocuments(request, ada, bench)).settings.rrf_window
}

describe('an answer', () => {
  it('of a strict hit has the documents, with their fields by the names of the contract', async () => {
    const answer = await ask({ keywords: ['保险丝', 'e_pump_17'], query_text: 'pump', project: 'plant-7' })
    expect(searchResponseSchema.parse(answer)).toEqual(answer)
    expect(answer).toMatchObject({ status: 'strict_hit', total: 1, search_id: expect.stringMatching(/^[\da-f-]{36}$/) })
    expect(Object.keys(answer)).not.toContain('banner')
    expect(answer.hits[0]).toMatchObject({
      document_id: 'pump',
      knowledge_base_id: 'runbooks',
      knowledge_type: 'setup',
      project: 'plant-7',
      equipment: 'pump-1',
      error_codes: ['E_PUMP_17'],
      title: '泵无法启动',
      excerpt: 'E_PUMP_17：泵无法启动。先检查保险丝，再检查浮子开关。',
      excerpt_start: 0,
      created_at: 1_700_000_000_000,
      vector_part: 2
    })
    const { score, bm25, vector_part: vectorPart } = answer.hits[0]!
    expect(score).toBeCloseTo(0.5 * bm25 + 0.5 * vectorPart)
    expect(answer.stages.map(({ name, status, rescore }) => [name, status, rescore])).toEqual([
      ['embed', 'ok', undefined],
      ['strict', 'ok', 'done']
    ])
  })

  it('of too many has facets, what is beyond them, and no document', async () => {
    const answer = await ask({ keywords: ['fan'] })
    expect(answer).toMatchObject({ status: 'too_many', total: 10, hits: [] })
    expect(answer.facets?.project).toEqual([
      { value: 'line-0', count: 4 },
      { value: 'line-1', count: 3 },
      { value: 'line-2', count: 3 }
    ])
    expect(answer.facets?.error_codes).toHaveLength(10)
    expect(answer.facets_truncated).toEqual({ project: 0, equipment: 0, error_codes: 0 })
    expect(searchResponseSchema.parse(answer)).toEqual(answer)
  })

  it.each([
    ['zh', '没有完全匹配的知识，以下为相关参考，仅供参考。'],
    [undefined, '没有完全匹配的知识，以下为相关参考，仅供参考。'],
    ['en', 'Nothing matches completely. The following is related, for reference only.']
  ] as const)('of a loose hit has the banner in %s', async (language, banner) => {
    const answer = await ask({ keywords: ['valve', 'float'] }, language)
    expect([answer.status, answer.banner]).toEqual(['loose_hit', banner])
    expect(answer.hits.map((hit) => hit.document_id).toSorted()).toEqual(['note', 'pump-2', 'valve'])
  })

  it('by meaning alone has a banner of its own, and looks only with a sentence', async () => {
    const answer = await ask({ keywords: ['nowhere'], query_text: 'valve', size: 2 })
    expect(answer).toMatchObject({ status: 'vector_only', total: 2, banner: expect.stringContaining('可信度低') })
    expect(answer.hits[0]).toMatchObject({ document_id: 'valve', bm25: 0, score: 2 })
    expect((await ask({ keywords: ['nowhere'] })).status).toBe('no_hit')
  })

  it('is confined to what may be read, whatever the mode, and to the knowledge bases that are named', async () => {
    for (const mode of ['auto', 'strict', 'loose', 'vector_only']) {
      const { hits } = await ask({ keywords: ['保险丝'], query_text: 'pump', mode })
      expect(hits.map((hit) => hit.document_id)).not.toContain('theirs')
    }
    const narrowed = await ask({ keywords: ['float'], knowledge_base_ids: ['notes'] })
    expect(narrowed.hits.map((hit) => hit.document_id)).toEqual(['note'])
    expect(await ask({ keywords: ['float'], knowledge_base_ids: [] })).toMatchObject({ status: 'no_hit', total: 0 })
    const nobody = await searchDocuments({ keywords: ['float'] }, { ...ada, readable: [] }, benchOver(index))
    expect(nobody).toMatchObject({ status: 'no_hit', total: 0, stages: [] })
  })

  it('is made with the settings that a request names, and tells them', async () => {
    const { settings, status, hits } = await ask({
      keywords: ['fan'],
      settings: { strict_max_hits: 10, vector_weight: 0 }
    })
    expect([status, hits.length]).toEqual(['strict_hit', 10])
    expect(settings).toEqual({
      strict_max_hits: 10,
      title_boost: 3,
      rrf_window: 50,
      vector_weight: 0,
      loose_min_match: 0.6
    })
  })

  it('may rescore as much as anybody, or as the server does of itself', async () => {
    expect([await windowOf(500, 50), await windowOf(2_000, 2_000)]).toEqual([500, 2_000])
    await expect(windowOf(2_001, 2_000)).rejects.toMatchObject({
      details: {
        issues: [{ field: 'settings.rrf_window', problem: 'must be a whole number from 1 to 2000, not 2001' }]
      }
    })
  })

  it('has its pages, counted from its beginning', async () => {
    const all = await ask({ keywords: ['fan'], settings: { strict_max_hits: 100 }, size: 10 })
    const page = await ask({ keywords: ['fan'], settings: { strict_max_hits: 100 }, size: 3, from: 4 })
    expect(page.total).toBe(10)
    expect(page.hits.map((hit) => hit.document_id)).toEqual(all.hits.slice(4, 7).map((hit) => hit.document_id))
  })
})

const manyCharacters = Array.from({ length: 300 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')

describe('a request is refused before the engine is asked', () => {
  it.each([
    [{ mode: 'fuzzy' }, 'mode'],
    [{ size: 0 }, 'size'],
    [{ size: 101 }, 'size'],
    [{ size: 1.5 }, 'size'],
    [{ from_: -1 }, 'from_'],
    [{ from_: 1, from: 2 }, 'from'],
    [{ from_: 9_991, size: 10 }, 'from_'],
    [{ knowledge_type: 'secret' }, 'knowledge_type'],
    [{ keywords: [manyCharacters] }, 'keywords'],
    [{ keywords: 'pump' }, 'keywords'],
    [{ error_codes: [17] }, 'error_codes.0'],
    [{ query_text: 'x'.repeat(4_001) }, 'query_text'],
    [{ settings: { title_boost: 101 } }, 'settings.title_boost'],
    [{ settings: { rrf_window: 1.5 } }, 'settings.rrf_window'],
    [{ settings: { rrf_window: 501 } }, 'settings.rrf_window'],
    [{ settings: { max_result_window: 5 } }, 'settings'],
    [{ tenant_id: 'eve' }, 'request'],
    [null, 'request']
  ])('%j, naming %s', async (request, field) => {
    const { code, message, details } = await refusal(request)
    expect(code).toBe('VALIDATION_FAILED')
    expect(message).toContain(`${field}: `)
    expect(details?.issues).toEqual([{ field, problem: expect.any(String) }])
  })

  it('for a knowledge base that may not be read, as for one that is not there', async () => {
    const theirs = await refusal({ knowledge_base_ids: [runbooks.knowledgeBaseId, foreign.knowledgeBaseId] })
    const nothing = await refusal({ knowledge_base_ids: ['never-was'] })
    expect([theirs.code, nothing.code]).toEqual(['AUTH_FORBIDDEN', 'AUTH_FORBIDDEN'])
    expect(theirs.message).toBe(nothing.message)
    expect(theirs.message).toBe('A knowledge base in knowledge_base_ids may not be read.')
  })
})

describe('the record of a search', () => {
  it('has who asked what of where, how it was made and what was shown', async () => {
    const bench = benchOver(index)
    const request = { keywords: ['float'], size: 1, from_: 1, knowledge_base_ids: ['runbooks', 'notes'], project: '' }
    const answer = await searchDocuments(request, ada, bench)
    expect(bench.told.stored).toEqual([
      {
        searchId: answer.search_id,
        tenantId: 'ada',
        userId: 'ada',
        createdAt: expect.any(Number),
        status: 'strict_hit',
        request,
        scope: [runbooks, notes],
        settings: answer.settings,
        shown: [
          {
            documentId: answer.hits[0]!.document_id,
            knowledgeBaseId: answer.hits[0]!.knowledge_base_id,
            title: answer.hits[0]!.title,
            rank: 2
          }
        ]
      }
    ])
  })

  it('that can not be stored costs the id and not the answer', async () => {
    const full = new AppError('STORAGE_FULL', { operation: 'insert search' })
    const bench = { ...benchOver(index), log: { insert: () => Promise.reject(full) } }
    const answer = await searchDocuments({ keywords: ['float'] }, ada, bench)
    expect([answer.status, answer.total, answer.search_id]).toEqual(['strict_hit', 2, null])
    expect(bench.told.unrecorded).toEqual([full])
  })
})
