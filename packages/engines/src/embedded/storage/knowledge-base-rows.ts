import type { DatabaseSync } from 'node:sqlite'
import type { ReadablePair } from '@oncall-agent/retrieval'

/** Totals of one knowledge base. They add up over knowledge bases, so any union of them has its statistics at once. */
export interface KnowledgeBaseRow {
  readonly id: number
  /** Live chunks. */
  readonly chunks: number
  /** Tokens of all live chunks. */
  readonly tokens: number
  /** First slot that was never used; the page it lies in is the open one. */
  readonly nextSlot: number
  readonly generation: number
}

const COLUMNS = 'id, chunks, tokens, next_slot AS nextSlot, generation'

/** Reads knowledge bases inside the caller's transaction. */
export interface KnowledgeBaseReader {
  find(pair: ReadablePair): KnowledgeBaseRow | undefined
  get(id: number): KnowledgeBaseRow
  all(): KnowledgeBaseRow[]
}

export function knowledgeBaseReader(database: DatabaseSync): KnowledgeBaseReader {
  const byName = database.prepare(`SELECT ${COLUMNS} FROM knowledge_base WHERE tenant_id = ? AND knowledge_base_id = ?`)
  const byId = database.prepare(`SELECT ${COLUMNS} FROM knowledge_base WHERE id = ?`)
  const all = database.prepare(`SELECT ${COLUMNS} FROM knowledge_base ORDER BY id`)
  return {
    find: (pair) => {
      const row = byName.get(pair.tenantId, pair.knowledgeBaseId)
      return row === undefined ? undefined : rowOf(row)
    },
    get: (id) => rowOf(byId.get(id)!),
    all: () => all.all().map(rowOf)
  }
}

function rowOf(row: Record<string, unknown>): KnowledgeBaseRow {
  return {
    id: Number(row.id),
    chunks: Number(row.chunks),
    tokens: Number(row.tokens),
    nextSlot: Number(row.nextSlot),
    generation: Number(row.generation)
  }
}
