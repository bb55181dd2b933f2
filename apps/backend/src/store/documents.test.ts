import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deletedQuery } from './document-erasure.ts'
import { documentPage, matchingDocuments } from './document-list.ts'
import type { NewDocument } from './document-rows.ts'
import { type BusinessStore, openBusinessStore } from './open-business-store.ts'
import type { BusinessSchema } from './schema.ts'
import { asKyselyDatabase } from './sqlite-connection.ts'

const MANY = 10_000
const NOW = 1_700_000_000_000
const folder = mkdtempSync(join(tmpdir(), 'oncall-documents-'))
let store: BusinessStore
let baseId: string
let database: Kysely<BusinessSchema>
let connection: DatabaseSync

function newDocument(id: string, knowledgeBaseId: string): NewDocument {
  return {
    id,
    tenantId: 'ana',
    knowledgeBaseId,
    fileName: `Runbook ${id}.md`,
    mediaType: 'text/markdown',
    format: 'markdown',
    byteSize: 1,
    sha256: id,
    form: { detectErrorCodes: false },
    uploadedBy: 'ana'
  }
}

beforeAll(async () => {
  store = openBusinessStore(folder)
  baseId = (await store.knowledgeBases.ensure('ana', 'large')).id
  await store.transaction(async ({ documents }) => {
    for (let at = 0; at < MANY; at++) await documents.insert(newDocument(`d${at}`, baseId), NOW)
  })
  connection = new DatabaseSync(join(folder, 'business.db'), { readOnly: true })
  database = new Kysely({ dialect: new SqliteDialect({ database: asKyselyDatabase(connection) }) })
})
afterAll(async () => {
  connection.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

async function named(name: string): Promise<number> {
  return (await store.documents.list({ knowledgeBaseId: baseId, name }, { limit: 1 })).total
}

/** How SQLite says that it finds the rows. */
function planOf(query: { compile(): { readonly sql: string; readonly parameters: readonly unknown[] } }): string {
  const { sql, parameters } = query.compile()
  const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as string[]))
  return rows.map((row) => String(row.detail)).join('; ')
}

describe('ten thousand documents', () => {
  it('are found by indexes, and sorted by them', () => {
    const filter = { knowledgeBaseId: baseId }
    const plans = [
      planOf(documentPage(database, filter, { limit: 50 })),
      planOf(documentPage(database, { ...filter, indexStatus: 'failed' }, { limit: 50 })),
      planOf(documentPage(database, { ...filter, name: 'x' }, { limit: 50 })),
      planOf(matchingDocuments(database, filter).select('id')),
      planOf(deletedQuery(database, ['d1', 'd2']))
    ]
    for (const plan of plans) {
      expect(plan).toMatch(/SEARCH document USING/)
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/)
    }
    expect(plans[1]).toContain('document_state')
  })

  it('are paged through soon, each once, newest first', async () => {
    const started = performance.now()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await store.documents.list({ knowledgeBaseId: baseId }, { limit: 200, cursor })
      expect(page.total).toBe(MANY)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(Array.from({ length: MANY }, (_, at) => `d${MANY - 1 - at}`))
    // Fifty pages: each well under what a person notices, on a loaded machine too.
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('are searched by name without a wildcard', async () => {
    expect(await named('RUNBOOK D9999')).toBe(1)
    expect(await named('%')).toBe(0)
    expect(await named('_')).toBe(0)
  })

  it('are counted in one query', async () => {
    const counts = await store.documents.counts([baseId, 'none'])
    expect(counts.get(baseId)).toEqual({ total: MANY, indexed: 0, indexing: 0, pending: MANY, failed: 0 })
    expect(counts.get('none')).toMatchObject({ total: 0 })
  })

  it('have creation times that grow, although all came in one millisecond', async () => {
    const rows = await store.documents.all(0, MANY)
    expect(rows.map(({ item }) => item.createdAt)).toEqual(Array.from({ length: MANY }, (_, at) => NOW + at))
  })
})

describe('the same bytes', () => {
  it('are refused in a base that holds them, until that document is deleted', async () => {
    const { id } = await store.knowledgeBases.ensure('ana', 'small')
    expect(await store.documents.insert(newDocument('a', id), NOW)).toBe(true)
    expect(await store.documents.insert({ ...newDocument('b', id), sha256: 'a' }, NOW)).toBe(false)
    expect(await store.documents.withBytes(id, 'a')).toBe('a')
    expect(await store.documents.markDeleted('a', NOW)).toBe(true)
    expect(await store.documents.markDeleted('a', NOW)).toBe(false)
    expect(await store.documents.withBytes(id, 'a')).toBeUndefined()
    expect(await store.documents.insert({ ...newDocument('b', id), sha256: 'a' }, NOW)).toBe(true)
  })
})

describe('documents that must not be shown', () => {
  it('are the deleted ones and those of a deleted base, however many are asked for', async () => {
    const { id } = await store.knowledgeBases.ensure('ana', 'doomed')
    await store.documents.insert(newDocument('x', id), NOW)
    await store.documents.insert(newDocument('y', id), NOW)
    await store.documents.markDeleted('x', NOW)
    expect(await store.documents.deletedAmong(['x', 'y', 'd1'])).toEqual(new Set(['x']))
    await store.knowledgeBases.markDeleted(id, NOW)
    expect(await store.documents.deletedAmong(['x', 'y', 'd1'])).toEqual(new Set(['x', 'y']))
    const many = Array.from({ length: 40_000 }, (_, at) => `unknown ${at}`)
    expect(await store.documents.deletedAmong([...many, 'y'])).toEqual(new Set(['y']))
    expect(await store.documents.deletedAmong([])).toEqual(new Set())
  })
})

describe('documents that are deleted and may still be in an index', () => {
  it('are those of the bases asked for whose content is not erased yet', async () => {
    const { id } = await store.knowledgeBases.ensure('ana', 'leaving')
    for (const name of ['live', 'leaving', 'leaving too', 'left']) {
      await store.documents.insert(newDocument(name, id), NOW)
      await store.documents.insertVersion(name, 1, newDocument(name, id), NOW)
    }
    for (const name of ['leaving', 'leaving too', 'left']) await store.documents.markDeleted(name, NOW)
    await store.documents.eraseContent('left')
    const leaving = await store.documents.leavingIndex([baseId, id])
    expect(leaving.toSorted()).toEqual(['leaving', 'leaving too'])
    expect(await store.documents.leavingIndex([baseId, id], 1)).toHaveLength(1)
    expect(await store.documents.leavingIndex([baseId], 10)).toEqual([])
    expect(await store.documents.leavingIndex([], 10)).toEqual([])
  })
})

describe('index tasks', () => {
  it('of a document are open one at a time, and final once they have ended', async () => {
    const task = (id: string) => ({
      id,
      tenantId: 'ana',
      knowledgeBaseId: baseId,
      documentId: 'd1',
      documentVersion: 1,
      fileName: 'd1.md',
      retryOfTaskId: null,
      requestedBy: 'ana',
      createdAt: NOW
    })
    const { indexTasks } = store
    expect(await indexTasks.insert(task('t1'))).toBe(true)
    expect(await indexTasks.insert(task('t2'))).toBe(false)
    expect(await indexTasks.mayPublish('t1')).toBe(false)
    expect(await indexTasks.begin('t1', 1, NOW + 1)).toBe(true)
    expect(await indexTasks.mayPublish('t1')).toBe(true)
    await indexTasks.progress('t1', 3, 9)
    expect(await indexTasks.begin('t1', 2, NOW + 5)).toBe(true)
    expect(await indexTasks.find('t1')).toMatchObject({
      attempt: 2,
      startedAt: NOW + 1,
      progress: { chunksEmbedded: 0, chunksTotal: null }
    })
    expect(await indexTasks.finish('t1', { status: 'cancelled' }, NOW + 6)).toBe(true)
    expect(await indexTasks.finish('t1', { status: 'succeeded' }, NOW + 7)).toBe(false)
    expect(await indexTasks.begin('t1', 3, NOW)).toBe(false)
    expect(await indexTasks.find('t1')).toMatchObject({
      status: 'cancelled',
      cancelRequested: true,
      finishedAt: NOW + 6
    })
    expect(await indexTasks.insert(task('t2'))).toBe(true)
    expect(await indexTasks.openDocuments()).toEqual(new Set(['d1']))
    await indexTasks.finish('t2', { status: 'cancelled' }, NOW)
    expect(await indexTasks.find('t2')).toMatchObject({ cancelRequested: false })
  })
})
