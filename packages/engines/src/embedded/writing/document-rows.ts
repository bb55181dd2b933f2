import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PortError } from '@oncall-agent/retrieval'
import type { ChunkToPublish, IndexedDocument, ReadablePair } from '@oncall-agent/retrieval'
import { chunkKey, MAX_DOCUMENT_ROWS, MAX_SPACES, MAX_SEQUENCES } from '../storage/keys.ts'
import { entrySpaceReader } from '../storage/entry-space-rows.ts'
import type { EntrySpaceReader } from '../storage/entry-space-rows.ts'
import { knowledgeBaseReader } from '../storage/knowledge-base-rows.ts'
import type { KnowledgeBaseReader } from '../storage/knowledge-base-rows.ts'
import { REBUILD_HINT } from '../storage/rebuild-hint.ts'
import type { SlotSpace } from '../storage/slot-space.ts'

/** Rows of documents and their chunks, inside a write transaction. */
export class DocumentRows {
  readonly #knowledgeBases: KnowledgeBaseReader
  readonly #entrySpaces: EntrySpaceReader
  readonly #insertKnowledgeBase: StatementSync
  readonly #find: StatementSync
  readonly #upsert: StatementSync
  readonly #delete: StatementSync
  readonly #deleteChunks: readonly StatementSync[]
  readonly #insertChunk: StatementSync
  readonly #insertVector: StatementSync
  readonly #insertTokenVectors: StatementSync

  constructor(database: DatabaseSync) {
    this.#knowledgeBases = knowledgeBaseReader(database)
    this.#entrySpaces = entrySpaceReader(database)
    this.#insertKnowledgeBase = database.prepare(
      `INSERT INTO knowledge_base (tenant_id, knowledge_base_id, chunks, tokens, next_slot, generation)
       VALUES (?, ?, 0, 0, 0, 0)`
    )
    this.#find = database.prepare('SELECT id FROM document WHERE document_id = ? AND kb = ?')
    this.#upsert = database.prepare(
      `INSERT INTO document (kb, document_id, version, created_at, chunks, owner_user_id, title, source, content_hash,
         metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (document_id, kb) DO UPDATE SET version = excluded.version, created_at = excluded.created_at,
         chunks = excluded.chunks, owner_user_id = excluded.owner_user_id, title = excluded.title,
         source = excluded.source, content_hash = excluded.content_hash, metadata = excluded.metadata
       RETURNING id`
    )
    this.#delete = database.prepare('DELETE FROM document WHERE id = ?')
    // Token vectors have a table of their own, so that reading text or vectors does not read past 15 KB of them.
    this.#deleteChunks = ['chunk', 'vector', 'token_vectors'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE key BETWEEN ? AND ?`)
    )
    this.#insertChunk = database.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)')
    this.#insertVector = database.prepare('INSERT INTO vector VALUES (?, ?)')
    this.#insertTokenVectors = database.prepare('INSERT INTO token_vectors VALUES (?, ?)')
  }

  /** Undefined when nothing was ever written to it. */
  findKnowledgeBase(pair: ReadablePair): SlotSpace | undefined {
    return this.#knowledgeBases.find(pair)
  }

  /** Of whichever kind has the number. */
  getSpace(id: number): SlotSpace {
    return (this.#knowledgeBases.get(id) ?? this.#entrySpaces.get(id))!
  }

  /** Its row is never deleted: page numbers must not begin anew. */
  makeKnowledgeBase(pair: ReadablePair): SlotSpace {
    const known = this.#knowledgeBases.find(pair)
    if (known !== undefined) return known
    const id = Number(this.#insertKnowledgeBase.run(pair.tenantId, pair.knowledgeBaseId).lastInsertRowid)
    if (id >= MAX_SPACES) throw outOfNumbers(pair.knowledgeBaseId, 'knowledge bases')
    return this.#knowledgeBases.get(id)!
  }

  /** The document's number, undefined when it is not there. */
  find(kb: number, documentId: string): number | undefined {
    const row = this.#find.get(documentId, kb)
    return row === undefined ? undefined : Number(row.id)
  }

  /** Writes the document's row, keeping its number when it was there. */
  put(kb: number, document: IndexedDocument, chunks: number): number {
    const { documentId, version, createdAt, ownerUserId, title, source, contentHash, metadata } = document
    const row = this.#upsert.get(
      kb,
      documentId,
      version,
      createdAt,
      chunks,
      ownerUserId,
      title,
      source,
      contentHash,
      JSON.stringify(metadata)
    )
    const id = Number(row?.id)
    if (id >= MAX_DOCUMENT_ROWS) throw outOfNumbers(documentId, 'documents')
    return id
  }

  /** Text and vectors at once; slots are killed by the editor. */
  delete(documentRow: number): void {
    this.deleteChunks(documentRow)
    this.#delete.run(documentRow)
  }

  /** The rows of a document stand together in each table, so this is one range each. */
  deleteChunks(documentRow: number): void {
    const first = chunkKey(documentRow, 0)
    for (const statement of this.#deleteChunks) statement.run(first, first + MAX_SEQUENCES - 1)
  }

  /** The bytes are those of the chunk's buffers; nothing is copied before SQLite does. */
  insertChunk(documentRow: number, chunk: ChunkToPublish): void {
    const key = chunkKey(documentRow, chunk.sequence)
    const { start, end, tokenCount, headingPath, metadata, content, vector, tokenVectors } = chunk
    const path = JSON.stringify(headingPath)
    this.#insertChunk.run(key, start, end, tokenCount, path, JSON.stringify(metadata), content)
    this.#insertVector.run(key, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    if (tokenVectors !== undefined) this.#insertTokenVectors.run(key, tokenVectors)
  }
}

export function outOfNumbers(subject: string, things: string): PortError {
  return new PortError('invalid-argument', {
    operation: 'replace document',
    subject,
    reason: `the index has no number left for more ${things}`,
    hint: `To number them anew, ${REBUILD_HINT}`
  })
}
