import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { StructuredEntry } from '@oncall-agent/retrieval'
import { entrySpaceReader } from '../storage/entry-space-rows.ts'
import type { EntrySpace, EntrySpaceReader } from '../storage/entry-space-rows.ts'
import { MAX_DOCUMENT_ROWS, MAX_SPACES } from '../storage/keys.ts'
import { outOfNumbers } from './document-rows.ts'
import { distinctCodes } from './prepare-entries.ts'

/** Rows of entries, inside a write transaction. */
export class EntryRows {
  readonly spaces: EntrySpaceReader
  readonly #nextNumber: StatementSync
  readonly #insertSpace: StatementSync
  readonly #find: StatementSync
  readonly #upsert: StatementSync
  readonly #putText: StatementSync
  readonly #putVector: StatementSync
  readonly #deleteVector: StatementSync
  readonly #delete: readonly StatementSync[]
  readonly #deleteAll: readonly StatementSync[]
  readonly #value: StatementSync
  readonly #insertValue: StatementSync

  constructor(database: DatabaseSync) {
    this.spaces = entrySpaceReader(database)
    // The sequence of the knowledge bases: a number must never mean chunks here and entries there.
    this.#nextNumber = database.prepare(
      "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'knowledge_base' RETURNING seq"
    )
    this.#insertSpace = database.prepare('INSERT INTO entry_space VALUES (?, ?, 0, 0, 0, 0)')
    this.#find = database.prepare('SELECT id FROM entry WHERE document_id = ? AND kb = ?')
    this.#upsert = database.prepare(
      `INSERT INTO entry (kb, document_id, created_at, knowledge_type, content_hash) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (document_id, kb) DO UPDATE SET created_at = excluded.created_at,
         knowledge_type = excluded.knowledge_type, content_hash = excluded.content_hash
       RETURNING id`
    )
    this.#putText = database.prepare('INSERT OR REPLACE INTO entry_text VALUES (?, ?, ?, ?)')
    this.#putVector = database.prepare('INSERT OR REPLACE INTO entry_vector VALUES (?, ?)')
    this.#deleteVector = database.prepare('DELETE FROM entry_vector WHERE id = ?')
    this.#delete = ['entry', 'entry_text', 'entry_vector'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE id = ?`)
    )
    const all = 'SELECT id FROM entry WHERE kb = ?'
    this.#deleteAll = ['entry_text', 'entry_vector', 'entry'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE id IN (${all})`)
    )
    this.#value = database.prepare('SELECT id FROM entry_value WHERE value = ?')
    this.#insertValue = database.prepare('INSERT INTO entry_value (value) VALUES (?)')
  }

  /** Its row is never deleted: page numbers must not begin anew. */
  makeSpace(kb: number): EntrySpace {
    const known = this.spaces.ofKnowledgeBase(kb)
    if (known !== undefined) return known
    const id = Number(this.#nextNumber.get()?.seq)
    if (id >= MAX_SPACES) throw outOfNumbers(String(kb), 'knowledge bases')
    this.#insertSpace.run(id, kb)
    return this.spaces.get(id)!
  }

  /** The entry's number, undefined when it is not there. */
  find(kb: number, documentId: string): number | undefined {
    const row = this.#find.get(documentId, kb)
    return row === undefined ? undefined : Number(row.id)
  }

  /** Writes the rows of an entry, keeping its number when it was there. */
  put(kb: number, entry: StructuredEntry): number {
    const { documentId, createdAt, knowledgeType, contentHash, project, equipment, title, body, vector } = entry
    const id = Number(this.#upsert.get(kb, documentId, createdAt, knowledgeType, contentHash)?.id)
    if (id >= MAX_DOCUMENT_ROWS) throw outOfNumbers(documentId, 'documents')
    const attributes = JSON.stringify({ project, equipment, errorCodes: distinctCodes(entry) })
    this.#putText.run(id, attributes, title, body)
    if (vector === undefined) this.#deleteVector.run(id)
    else this.#putVector.run(id, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    return id
  }

  /** The slot is killed by the editor. */
  delete(id: number): void {
    for (const statement of this.#delete) statement.run(id)
  }

  deleteAll(kb: number): void {
    for (const statement of this.#deleteAll) statement.run(kb)
  }

  /** The number of a value of a facet, from 1. Numbers are kept when no entry has the value any more. */
  numberOf(value: string): number {
    const row = this.#value.get(value)
    return Number(row === undefined ? this.#insertValue.run(value).lastInsertRowid : row.id)
  }
}
