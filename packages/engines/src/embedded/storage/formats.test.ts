import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { StructuredEntry } from '@oncall-agent/retrieval'
import { entryOf, pairOf } from '@oncall-agent/retrieval/conformance'
import { createNextGeneration, openEmbeddedIndex, storedFingerprint } from '../index.ts'
import type { EmbeddedIndex } from '../index.ts'
import { markedDocument } from '../test-support/marked-document.ts'
import { markedEntry } from '../test-support/marked-entry.ts'
import { inTemporaryFolder, testFingerprint, withIndex } from '../test-support/temporary-index.ts'
import { APPLICATION_ID, FORMAT_VERSION, FORMATS } from './schema.ts'

/** As release 0.1.0 wrote it, with two documents. */
const RELEASED = join(import.meta.dirname, '../../../../../e2e/fixtures/releases/schema-1/index.db')
const REFUSAL = { failure: 'unavailable', hint: expect.stringContaining('oncall reindex') }

/** Puts the released file in a folder, and gives the pair that its documents are of. */
function putReleased(directory: string): { readonly tenantId: string; readonly knowledgeBaseId: string } {
  const path = join(directory, 'index.db')
  copyFileSync(RELEASED, path)
  const database = new DatabaseSync(path)
  const pair = database.prepare('SELECT tenant_id AS tenantId, knowledge_base_id AS id FROM knowledge_base').get()!
  expect(formatOf(database)).toBe(1)
  database.close()
  return pairOf(String(pair.tenantId), String(pair.id))
}

function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

async function openReleased(directory: string): Promise<EmbeddedIndex> {
  return openEmbeddedIndex({ directory, fingerprint: storedFingerprint(directory)! })
}

async function entriesOf(index: EmbeddedIndex): Promise<StructuredEntry[]> {
  const entries: StructuredEntry[] = []
  for await (const entry of index.entries()) entries.push(entry)
  return entries
}

describe('a file of the format before entries', () => {
  it('is brought to this format by whoever opens it, several at once, and keeps what it has', async () => {
    await inTemporaryFolder(async (directory) => {
      const pair = putReleased(directory)
      const opened = await Promise.all(Array.from({ length: 4 }, () => openReleased(directory)))
      for (const index of opened) {
        expect(await index.writer.listDocuments(pair)).toHaveLength(2)
        const found = await index.lexical.search({ tokens: ['conn'], scope: { pairs: [pair] }, limit: 20 })
        expect(found.hits.length).toBeGreaterThan(0)
        expect(await index.verify()).toEqual([])
      }
      for (const index of opened) await index.close()
      const database = new DatabaseSync(join(directory, 'index.db'))
      expect(formatOf(database)).toBe(FORMAT_VERSION)
      database.close()
    })
  })

  it('refuses searches of entries until they are made anew, and tells which are there', async () => {
    await inTemporaryFolder(async (directory) => {
      const pair = putReleased(directory)
      const index = await openReleased(directory)
      const { structured } = index
      const selection = { pairs: [pair], filters: {} }
      const vector = new Float32Array(structured.capabilities.dimension).fill(1)
      const all = { ...selection, mode: 'all' as const, clauses: [], titleBoost: 1, from: 0, size: 10 }
      const searches = [
        () => structured.match(all),
        () => structured.facets({ ...all, fields: ['project'], buckets: 5 }),
        () => structured.nearest({ ...selection, vector, k: 1, numCandidates: 1 }),
        () => entriesOf(index)
      ]
      const [document] = await index.writer.listDocuments(pair)
      const entry = entryOf(pair, document!.documentId, { body: 'disk' })
      for (const search of searches) await expect(search()).rejects.toMatchObject(REFUSAL)
      expect(await structured.listDocuments(pair)).toEqual([])
      await index.writer.replaceDocument(document!, [], entry)
      for (const search of searches) await expect(search()).rejects.toMatchObject(REFUSAL)
      expect(await structured.listDocuments(pair)).toHaveLength(1)
      expect(await index.entry(pair, document!.documentId)).toEqual(entry)
      await structured.rebuild(
        (async function* () {
          yield entry
        })()
      )
      expect((await structured.match(all)).total).toBe(1)
      expect(await entriesOf(index)).toEqual([entry])
      await index.close()
    })
  })

  it('needs nothing made anew when it has no document yet', async () => {
    await withIndex(async (open, directory) => {
      const made = new DatabaseSync(join(directory, 'index.db'))
      made.exec(FORMATS[0]!)
      made
        .prepare('INSERT INTO state VALUES (1, 0, 0, ?, ?, 1, ?, ?)')
        .run('test-model', testFingerprint.dimension, testFingerprint.tokenizerVersion, 'v1')
      made.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1`)
      made.close()
      const index = await open()
      const { document, chunks } = markedDocument(1)
      await index.writer.replaceDocument(document, chunks, markedEntry(1))
      expect(await entriesOf(index)).toHaveLength(1)
    })
  })

  it('that was to take the place of an index is begun anew', async () => {
    await withIndex(async (open, directory) => {
      const old = await open()
      const { document, chunks } = markedDocument(1)
      await old.writer.replaceDocument(document, chunks, markedEntry(1))
      const next = join(directory, 'next')
      createNextGeneration({ directory, next, fingerprint: testFingerprint })
      const begun = await openEmbeddedIndex({ directory: next, fingerprint: testFingerprint })
      await begun.writer.replaceDocument(document, chunks)
      await begun.close()
      const database = new DatabaseSync(join(next, 'index.db'))
      database.exec('UPDATE state SET entries_filled = 0')
      database.close()
      createNextGeneration({ directory, next, fingerprint: testFingerprint })
      const again = await openEmbeddedIndex({ directory: next, fingerprint: testFingerprint })
      expect(await again.writer.listDocuments(document)).toEqual([])
      await again.writer.replaceDocument(document, chunks, markedEntry(1))
      expect(await entriesOf(again)).toHaveLength(1)
      expect(await again.verify()).toEqual([])
      await again.close()
    })
  })
})

describe('the formats', () => {
  it('are kept one by one, and the file of the first release is there to be opened', () => {
    expect(FORMATS).toHaveLength(FORMAT_VERSION)
    expect(existsSync(RELEASED)).toBe(true)
  })
})
