import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { IndexedDocument, ListedDocument, Metadata } from '@oncall-agent/retrieval'
import type { SlotSpace } from '../storage/slot-space.ts'
import { compareDocuments } from './ranked-hits.ts'

/** Of `document d JOIN knowledge_base k`. */
export const DOCUMENT_COLUMNS = `d.id AS row, d.kb, d.document_id AS documentId, d.version, d.created_at AS createdAt,
  d.chunks, d.owner_user_id AS ownerUserId, d.title, d.source, d.content_hash AS contentHash, d.metadata,
  k.tenant_id AS tenantId, k.knowledge_base_id AS knowledgeBaseId`

/** A row of `DOCUMENT_COLUMNS` as the port has it. */
export function documentOf(row: Record<string, unknown>): IndexedDocument {
  return {
    documentId: String(row.documentId),
    knowledgeBaseId: String(row.knowledgeBaseId),
    tenantId: String(row.tenantId),
    ownerUserId: String(row.ownerUserId),
    version: Number(row.version),
    title: String(row.title),
    source: String(row.source),
    createdAt: Number(row.createdAt),
    contentHash: String(row.contentHash),
    metadata: JSON.parse(String(row.metadata)) as Metadata
  }
}

/** Lists documents inside a read transaction. */
export class DocumentTable {
  readonly #ofKnowledgeBase: StatementSync
  readonly #count: StatementSync

  constructor(database: DatabaseSync) {
    this.#ofKnowledgeBase = database.prepare(
      `SELECT ${DOCUMENT_COLUMNS} FROM document d JOIN knowledge_base k ON k.id = d.kb WHERE d.kb = ?`
    )
    this.#count = database.prepare('SELECT count(*) AS n FROM document')
  }

  /** In corpus order, sorted here: SQLite compares bytes of UTF-8, and the order is by UTF-16 units as in JavaScript. */
  list(kb: SlotSpace): ListedDocument[] {
    return this.#ofKnowledgeBase
      .all(kb.id)
      .map((row): ListedDocument => ({ ...documentOf(row), chunks: Number(row.chunks) }))
      .toSorted(compareDocuments)
  }

  count(): number {
    return Number(this.#count.get()?.n)
  }
}
