import type { DatabaseSync } from 'node:sqlite'
import { entrySpaceReader } from '../../storage/entry-space-rows.ts'
import type { EntrySpace } from '../../storage/entry-space-rows.ts'
import { liveSlots } from '../live-slots.ts'

/** What of the entries is kept twice and differs, in sentences; empty when they are whole. */
export function verifyEntries(database: DatabaseSync): string[] {
  return [
    ...counted(
      database,
      'entry e WHERE NOT EXISTS (SELECT 1 FROM document d WHERE d.document_id = e.document_id AND d.kb = e.kb)',
      'entries belong to no document'
    ),
    ...counted(
      database,
      'entry e WHERE NOT EXISTS (SELECT 1 FROM entry_text t WHERE t.id = e.id)',
      'entries have no text'
    ),
    ...['entry_text', 'entry_vector'].flatMap((table) =>
      counted(
        database,
        `${table} t WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.id = t.id)`,
        `rows of ${table} belong to no entry`
      )
    ),
    ...entrySpaceReader(database)
      .all()
      .flatMap((space) => wrongSlots(database, space))
  ]
}

function counted(database: DatabaseSync, from: string, fault: string): string[] {
  const count = Number(database.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.n)
  return count === 0 ? [] : [`${count} ${fault}`]
}

/** Each entry has one live slot, and the totals are those of the slots. */
function wrongSlots(database: DatabaseSync, space: EntrySpace): string[] {
  const entries = new Set(
    database
      .prepare('SELECT id FROM entry WHERE kb = ?')
      .all(space.kb)
      .map((row) => Number(row.id))
  )
  const listed = entries.size
  let live = 0
  let tokens = 0
  for (const { length, document } of liveSlots(database, space)) {
    live++
    tokens += length - 1
    entries.delete(document)
  }
  if (live === listed && entries.size === 0 && live === space.chunks && tokens === space.tokens) return []
  return [
    `knowledge base ${space.kb} counts ${space.chunks} entries of ${space.tokens} tokens, its pages hold ${live} of ` +
      `${tokens}, it lists ${listed}, and ${entries.size} of these are in no page`
  ]
}
