import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BusinessStore, openBusinessStore } from './open-business-store.ts'
import type { Feedback } from './search-feedback.ts'
import type { StoredSearch } from './searches.ts'

const DAY_MS = 86_400_000

let directory: string
let store: BusinessStore
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-searches-'))
  store = openBusinessStore(directory)
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const ana = { tenantId: 'ana', userId: 'ana' }
const shown = (documentId: string, rank = 1) => ({ documentId, knowledgeBaseId: 'runbooks', title: documentId, rank })
const search = (searchId: string, changed: Partial<StoredSearch> = {}): StoredSearch => ({
  searchId,
  ...ana,
  createdAt: 1_000,
  status: 'strict_hit',
  request: { keywords: ['pump'] },
  scope: [{ tenantId: 'ana', knowledgeBaseId: 'runbooks' }],
  settings: { title_boost: 3 },
  shown: [shown('d1'), shown('d2', 2)],
  ...changed
})
const verdict = (searchId: string, documentId: string, changed: Partial<Feedback> = {}): Feedback => ({
  searchId,
  userId: 'ana',
  documentId,
  verdict: 'up',
  note: null,
  updatedAt: 2_000,
  ...changed
})

describe('a recorded search', () => {
  it('comes back as it was stored, to who asked it and to nobody else', async () => {
    await store.searches.insert(search('s1'))
    expect(await store.searches.find(ana, 's1')).toEqual(search('s1'))
    expect(await store.searches.find({ tenantId: 'eve', userId: 'eve' }, 's1')).toBeUndefined()
    expect(await store.searches.find({ ...ana, userId: 'bob' }, 's1')).toBeUndefined()
    expect(await store.searches.find(ana, 's2')).toBeUndefined()
  })

  it('is kept for ninety days, and a judged one for a year from its last judgement', async () => {
    for (const id of ['plain', 'judged']) await store.searches.insert(search(id))
    await store.searchFeedback.give(verdict('judged', 'd1', { updatedAt: 10 * DAY_MS }))
    const at = async (createdAt: number) => {
      await store.searches.insert(search(`at ${createdAt}`, { createdAt }))
      const found = await Promise.all(['plain', 'judged'].map((id) => store.searches.find(ana, id)))
      return found.map((each) => each !== undefined)
    }
    expect(await at(1_000 + 90 * DAY_MS)).toEqual([true, true])
    expect(await at(1_001 + 90 * DAY_MS)).toEqual([false, true])
    expect(await at(375 * DAY_MS)).toEqual([false, true])
    expect(await at(1 + 375 * DAY_MS)).toEqual([false, false])
    expect((await store.searchFeedback.counts(undefined, 20)).up).toBe(0)
  })
})

describe('feedback', () => {
  it('is one judgement a person, search and document, and the last one counts', async () => {
    await store.searches.insert(search('s1'))
    expect(await store.searchFeedback.give(verdict('s1', 'd1'))).toBe(true)
    expect(await store.searchFeedback.give(verdict('s1', 'd1', { verdict: 'down', note: 'old' }))).toBe(true)
    expect(await store.searchFeedback.give(verdict('s1', 'd2'))).toBe(true)
    const judged = await store.searches.judged()
    expect(judged).toEqual([
      {
        ...search('s1'),
        verdicts: [
          { documentId: 'd1', verdict: 'down' },
          { documentId: 'd2', verdict: 'up' }
        ]
      }
    ])
  })

  it('on a search that is gone is not stored, and says so', async () => {
    expect(await store.searchFeedback.give(verdict('s9', 'd1'))).toBe(false)
    expect((await store.searchFeedback.counts(undefined, 20)).judgedSearches).toBe(0)
  })

  it('is counted for one person or for everybody, documents that were judged most often first', async () => {
    await store.searches.insert(search('s1'))
    await store.searches.insert(search('s2', { status: 'loose_hit', shown: [{ ...shown('d1'), title: 'renamed' }] }))
    await store.searches.insert(search('s3', { tenantId: 'bob', userId: 'bob' }))
    await store.searches.insert(search('s4', { status: 'no_hit', shown: [] }))
    await store.searchFeedback.give(verdict('s1', 'd2', { verdict: 'down' }))
    await store.searchFeedback.give(verdict('s1', 'd1'))
    await store.searchFeedback.give(verdict('s2', 'd1', { verdict: 'down' }))
    await store.searchFeedback.give(verdict('s3', 'd2', { userId: 'bob' }))
    expect(await store.searchFeedback.counts('ana', 20)).toEqual({
      searches: 3,
      judgedSearches: 2,
      up: 1,
      down: 2,
      byStatus: [
        { status: 'loose_hit', up: 0, down: 1 },
        { status: 'strict_hit', up: 1, down: 1 }
      ],
      documents: [
        { documentId: 'd1', up: 1, down: 1, shown: { ...shown('d1'), title: 'renamed' } },
        { documentId: 'd2', up: 0, down: 1, shown: shown('d2', 2) }
      ]
    })
    expect(await store.searchFeedback.counts(undefined, 1)).toMatchObject({
      searches: 4,
      judgedSearches: 3,
      up: 2,
      down: 2,
      documents: [{ documentId: 'd1' }]
    })
  })
})
