import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchFeedbackSchema, searchFeedbackSummarySchema } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BusinessStore, openBusinessStore } from '../../store/index.ts'
import { createStructuredSearch, type StructuredSearch } from '../create-structured-search.ts'
import { ada, benchOver, foreign, plantIndex, runbooks } from '../test-material/structured-room.ts'

const eve = { tenantId: 'eve', userId: 'eve', readable: [foreign] }

let directory: string
let store: BusinessStore
let room: StructuredSearch
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-feedback-'))
  store = openBusinessStore(directory)
  room = createStructuredSearch({ parts: benchOver(await plantIndex()).parts, store })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const searched = async (request: unknown, caller = ada): Promise<string> =>
  (await room.searchFor(caller)(request)).search_id!
const give = (searchId: string, documentId: string, verdict: 'up' | 'down' = 'up', note?: string) =>
  room.giveFeedback(ada, {
    search_id: searchId,
    document_id: documentId,
    verdict,
    ...(note === undefined ? {} : { note })
  })

describe('feedback', () => {
  it('comes back as it was given, and again as it was given last', async () => {
    const search = await searched({ keywords: ['float'] })
    const first = await give(search, 'note', 'up', 'it stuck')
    expect(searchFeedbackSchema.parse(first)).toEqual(first)
    expect(first).toMatchObject({ search_id: search, document_id: 'note', verdict: 'up', note: 'it stuck' })
    expect(await give(search, 'note', 'down', '')).toMatchObject({ verdict: 'down', note: null })
    expect(await room.feedbackSummary(ada, 'own')).toMatchObject({ up: 0, down: 1, judged_searches: 1 })
  })

  it.each([
    ['a search that never was', async () => 'never-was', 'note'],
    ["somebody else's search", () => searched({ keywords: ['float'] }, eve), 'theirs'],
    ['a document that the search did not show', () => searched({ keywords: ['float'] }), 'valve'],
    ['a document of an answer without documents', () => searched({ keywords: ['fan'] }), 'fan-1']
  ])('on %s is refused as not there, and stores nothing', async (_what, search, documentId) => {
    await expect(give(await search(), documentId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await room.feedbackSummary(ada, 'everybody')).judged_searches).toBe(0)
  })
})

describe('the summary', () => {
  it('is of the own judgements, or of everybody’s without the titles that the caller may not read', async () => {
    const mine = await searched({ keywords: ['float'] })
    await searched({ keywords: ['nowhere'] })
    await give(mine, 'note')
    const theirs = await searched({ keywords: ['float'] }, eve)
    await room.giveFeedback(eve, { search_id: theirs, document_id: 'theirs', verdict: 'down' })
    const own = await room.feedbackSummary(ada, 'own')
    expect(searchFeedbackSummarySchema.parse(own)).toEqual(own)
    expect(own).toEqual({
      searches: 2,
      judged_searches: 1,
      up: 1,
      down: 0,
      by_status: [{ status: 'strict_hit', up: 1, down: 0 }],
      documents: [{ document_id: 'note', title: 'Note', up: 1, down: 0 }]
    })
    const all = await room.feedbackSummary(ada, 'everybody')
    expect(all).toMatchObject({ searches: 3, judged_searches: 2, up: 1, down: 1 })
    expect(all.documents).toEqual([
      { document_id: 'note', title: 'Note', up: 1, down: 0 },
      { document_id: 'theirs', title: null, up: 0, down: 1 }
    ])
  })

  it('tells no title of a document that was deleted since', async () => {
    const base = await store.knowledgeBases.ensure('ada', 'uploads')
    const content = { fileName: 'note.md', mediaType: 'text/markdown', format: 'markdown' as const, byteSize: 1 }
    const form = { errorCodes: [], metadata: {} }
    const document = { ...content, id: 'note', tenantId: 'ada', knowledgeBaseId: base.id, sha256: 'a', form }
    await store.documents.insert({ ...document, uploadedBy: 'ada' }, 1)
    await give(await searched({ keywords: ['float'] }), 'note')
    expect((await room.feedbackSummary(ada, 'own')).documents[0]?.title).toBe('Note')
    await store.documents.markDeleted('note', 2)
    expect((await room.feedbackSummary(ada, 'own')).documents[0]?.title).toBeNull()
  })
})

describe('judged searches', () => {
  it('are told as they were asked, with where and how, and every verdict', async () => {
    const request = { keywords: ['float'], knowledge_base_ids: ['runbooks'], settings: { title_boost: 5 } }
    const search = await searched(request)
    await searched({ keywords: ['valve'] })
    await give(search, 'pump-2', 'down')
    expect(await room.judgedSearches()).toEqual([
      {
        searchId: search,
        createdAt: expect.any(Number),
        status: 'strict_hit',
        request,
        scope: [runbooks],
        settings: expect.objectContaining({ title_boost: 5, strict_max_hits: 8 }),
        verdicts: [{ documentId: 'pump-2', verdict: 'down' }]
      }
    ])
  })
})
