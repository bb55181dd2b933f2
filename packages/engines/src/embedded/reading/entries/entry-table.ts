import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ListedEntry, ReadablePair, StructuredEntry } from '@oncall-agent/retrieval'
import { floatsOf } from '../vector-reader.ts'

/** An entry without its vector: what a hit shows. */
export type EntryDocument = Omit<StructuredEntry, 'vector'>

type Attributes = Pick<StructuredEntry, 'project' | 'equipment' | 'errorCodes'>

const COLUMNS = `e.id, e.document_id AS documentId, e.created_at AS createdAt, e.knowledge_type AS knowledgeType,
  e.content_hash AS contentHash, t.attributes, t.title, t.body, k.tenant_id AS tenantId,
  k.knowledge_base_id AS knowledgeBaseId`
const TABLES = 'entry e JOIN entry_text t ON t.id = e.id JOIN knowledge_base k ON k.id = e.kb'

/** Reads entries by their numbers, inside a read transaction. */
export class EntryTable {
  readonly #document: StatementSync
  readonly #vector: StatementSync
  readonly #find: StatementSync
  readonly #after: StatementSync
  readonly #listed: StatementSync

  constructor(database: DatabaseSync) {
    this.#document = database.prepare(`SELECT ${COLUMNS} FROM ${TABLES} WHERE e.id = ?`)
    this.#vector = database.prepare('SELECT data FROM entry_vector WHERE id = ?')
    this.#find = database.prepare('SELECT id FROM entry WHERE document_id = ? AND kb = ?')
    this.#after = database.prepare('SELECT id FROM entry WHERE id > ? ORDER BY id LIMIT ?')
    this.#listed = database.prepare(
      `SELECT document_id AS documentId, knowledge_type AS knowledgeType, content_hash AS contentHash,
         EXISTS (SELECT 1 FROM entry_vector v WHERE v.id = e.id) AS hasVector
       FROM entry e WHERE kb = ? ORDER BY created_at, document_id`
    )
  }

  document(id: number): EntryDocument {
    return documentOf(this.#document.get(id)!)
  }

  /** Undefined for an entry without one. */
  vector(id: number): Float32Array | undefined {
    const row = this.#vector.get(id)
    return row === undefined ? undefined : floatsOf(row.data as Uint8Array)
  }

  /** With its vector. */
  whole(id: number): StructuredEntry {
    const vector = this.vector(id)
    return { ...this.document(id), ...(vector === undefined ? {} : { vector }) }
  }

  find(kb: number, documentId: string): StructuredEntry | undefined {
    const row = this.#find.get(documentId, kb)
    return row === undefined ? undefined : this.whole(Number(row.id))
  }

  /** Numbers of the next entries behind a number, ascending. */
  numbersAfter(id: number, limit: number): number[] {
    return this.#after.all(id, limit).map((row) => Number(row.id))
  }

  /** In corpus order. */
  list(kb: number): ListedEntry[] {
    return this.#listed.all(kb).map((row) => ({
      documentId: String(row.documentId),
      knowledgeType: String(row.knowledgeType),
      contentHash: String(row.contentHash),
      hasVector: row.hasVector === 1
    }))
  }
}

function documentOf(row: Record<string, unknown>): EntryDocument {
  const { tenantId, knowledgeBaseId }: ReadablePair = row as unknown as ReadablePair
  const { errorCodes, ...single } = JSON.parse(String(row.attributes)) as Attributes
  return {
    documentId: String(row.documentId),
    tenantId,
    knowledgeBaseId,
    knowledgeType: String(row.knowledgeType),
    ...single,
    errorCodes,
    title: String(row.title),
    body: String(row.body),
    createdAt: Number(row.createdAt),
    contentHash: String(row.contentHash)
  }
}
