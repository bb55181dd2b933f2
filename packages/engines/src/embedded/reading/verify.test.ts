import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openEmbeddedIndex } from '../index.ts'
import { MARKED, MARKED_ID, markedDocument } from '../test-support/marked-document.ts'
import { markedEntry } from '../test-support/marked-entry.ts'
import { inTemporaryFolder, testFingerprint } from '../test-support/temporary-index.ts'

/** Faults that `verify` finds after a replacement and a deletion, and after whatever `damage` did to the file. */
function faultsAfter(damage: string): Promise<readonly string[]> {
  return inTemporaryFolder(async (directory) => {
    const index = await openEmbeddedIndex({ directory, fingerprint: testFingerprint })
    for (const version of [1, 2]) {
      const { document, chunks } = markedDocument(version)
      await index.writer.replaceDocument(document, chunks, markedEntry(version))
      const gone = { ...document, documentId: 'gone' }
      await index.writer.replaceDocument(gone, chunks, { ...markedEntry(version), documentId: 'gone' })
    }
    await index.writer.deleteDocument(MARKED, 'gone')
    const database = new DatabaseSync(join(directory, 'index.db'), { timeout: 10_000 })
    database.exec(damage)
    database.close()
    try {
      return await index.verify()
    } finally {
      await index.close()
    }
  })
}

describe('verifying an index', () => {
  it('finds nothing in one that was replaced and deleted from', async () => {
    expect(await faultsAfter('')).toEqual([])
  })

  it.each([
    [
      'a chunk that is missing',
      'DELETE FROM chunk WHERE key = (SELECT min(key) FROM chunk)',
      /wrong number of chunk rows: marked/
    ],
    [
      'a vector that is missing',
      'DELETE FROM vector WHERE key = (SELECT min(key) FROM vector)',
      /wrong number of vector rows/
    ],
    [
      'chunks without a document',
      "INSERT INTO chunk VALUES (99 << 20, 0, 1, 1, '[]', '{}', 'x')",
      /1 rows of chunk belong to no document/
    ],
    [
      'totals that do not add up',
      'UPDATE knowledge_base SET tokens = tokens + 1',
      /counts \d+ chunks of \d+ tokens, its pages hold/
    ],
    [
      'a document that lists too many',
      `UPDATE document SET chunks = chunks + 1 WHERE document_id = '${MARKED_ID}'`,
      /documents list/
    ],
    [
      'an entry without its document',
      "UPDATE entry SET document_id = 'no such document'",
      /1 entries belong to no document/
    ],
    ['an entry without its text', 'DELETE FROM entry_text', /1 entries have no text/],
    ['text without an entry', 'UPDATE entry_text SET id = 99', /1 rows of entry_text belong to no entry/],
    ['a vector without an entry', 'UPDATE entry_vector SET id = 99', /1 rows of entry_vector belong to no entry/],
    [
      'an entry that is in no page',
      "INSERT INTO entry SELECT 99, kb, 'other', created_at, knowledge_type, content_hash FROM entry",
      /lists 2, and 1 of these are in no page/
    ],
    [
      'totals of entries that do not add up',
      'UPDATE entry_space SET body_tokens = body_tokens + 1',
      /counts 1 entries of/
    ]
  ])('finds %s', async (_what, damage, sentence) => {
    const faults = await faultsAfter(damage)
    expect(faults.join('\n')).toMatch(sentence)
  })
})
