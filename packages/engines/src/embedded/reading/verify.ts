import type { DatabaseSync } from 'node:sqlite'
import { knowledgeBaseReader } from '../storage/knowledge-base-rows.ts'
import type { SlotSpace } from '../storage/slot-space.ts'
import { verifyEntries } from './entries/verify-entries.ts'
import { liveSlots } from './live-slots.ts'
import { MAX_SEQUENCES } from '../storage/keys.ts'

/** More names than this help nobody; the count is told as well. */
const NAMED_DOCUMENTS = 5

/**
 * What is wrong with the index, in sentences; empty when it is whole. Looks at the pages of the file, and at everything
 * that is kept twice for speed: the chunks, vectors and slots of each document, and the totals of each knowledge base.
 * Reads every page of the file, so a gigabyte takes some seconds.
 */
export function verify(database: DatabaseSync): string[] {
  const faults = database
    .prepare('PRAGMA quick_check')
    .all()
    .map((row) => String(row.quick_check))
    .filter((line) => line !== 'ok')
  // Counts of a file with broken pages would only say the same again.
  if (faults.length > 0) return faults
  return [
    ...incompleteDocuments(database, 'chunk'),
    ...incompleteDocuments(database, 'vector'),
    ...strayRows(database),
    ...knowledgeBaseReader(database)
      .all()
      .flatMap((kb) => wrongTotals(database, kb)),
    ...verifyEntries(database)
  ]
}

function incompleteDocuments(database: DatabaseSync, table: 'chunk' | 'vector'): string[] {
  const rows = database
    .prepare(
      `SELECT document_id AS id FROM document d WHERE chunks <>
         (SELECT count(*) FROM ${table} WHERE key BETWEEN d.id * ${MAX_SEQUENCES} AND (d.id + 1) * ${MAX_SEQUENCES} - 1)
       ORDER BY id`
    )
    .all()
  if (rows.length === 0) return []
  const names = rows.slice(0, NAMED_DOCUMENTS).map((row) => String(row.id))
  return [`${rows.length} documents have a wrong number of ${table} rows: ${names.join(', ')}`]
}

/** Rows that belong to no document; those that do are counted already. */
function strayRows(database: DatabaseSync): string[] {
  return ['chunk', 'vector', 'token_vectors'].flatMap((table) => {
    const row = database
      .prepare(
        `SELECT count(*) AS n FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM document WHERE id = key / ${MAX_SEQUENCES})`
      )
      .get()
    return Number(row?.n) === 0 ? [] : [`${Number(row?.n)} rows of ${table} belong to no document`]
  })
}

function wrongTotals(database: DatabaseSync, kb: SlotSpace): string[] {
  let chunks = 0
  let tokens = 0
  for (const { length } of liveSlots(database, kb)) {
    chunks++
    tokens += length - 1
  }
  const listed = database.prepare('SELECT sum(chunks) AS n FROM document WHERE kb = ?').get(kb.id)
  const found = { chunks, tokens, listed: Number(listed?.n ?? 0) }
  if (chunks === kb.chunks && tokens === kb.tokens && found.listed === kb.chunks) return []
  return [
    `knowledge base ${kb.id} counts ${kb.chunks} chunks of ${kb.tokens} tokens, its pages hold ` +
      `${chunks} of ${tokens}, its documents list ${found.listed}`
  ]
}
