import type { DatabaseSync } from 'node:sqlite'
import type { ReadablePair } from '@oncall-agent/retrieval'
import { spaceOf } from './slot-space.ts'
import type { SlotSpace } from './slot-space.ts'

const COLUMNS = 'id, chunks, tokens, next_slot AS nextSlot, generation'

/** Reads knowledge bases, as the spaces of their chunks, inside the caller's transaction. */
export interface KnowledgeBaseReader {
  find(pair: ReadablePair): SlotSpace | undefined
  /** Undefined also for the number of a space of entries. */
  get(id: number): SlotSpace | undefined
  all(): SlotSpace[]
}

export function knowledgeBaseReader(database: DatabaseSync): KnowledgeBaseReader {
  const byName = database.prepare(`SELECT ${COLUMNS} FROM knowledge_base WHERE tenant_id = ? AND knowledge_base_id = ?`)
  const byId = database.prepare(`SELECT ${COLUMNS} FROM knowledge_base WHERE id = ?`)
  const all = database.prepare(`SELECT ${COLUMNS} FROM knowledge_base ORDER BY id`)
  return {
    find: (pair) => rowOf(byName.get(pair.tenantId, pair.knowledgeBaseId)),
    get: (id) => rowOf(byId.get(id)),
    all: () => all.all().map((row) => spaceOf(row, 'chunks'))
  }
}

function rowOf(row: Record<string, unknown> | undefined): SlotSpace | undefined {
  return row === undefined ? undefined : spaceOf(row, 'chunks')
}
