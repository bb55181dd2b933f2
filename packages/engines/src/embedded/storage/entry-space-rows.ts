import type { DatabaseSync } from 'node:sqlite'
import { spaceOf } from './slot-space.ts'
import type { SlotSpace } from './slot-space.ts'

/** The entries of one knowledge base. */
export interface EntrySpace extends SlotSpace {
  /** Number of the knowledge base. */
  readonly kb: number
}

const COLUMNS = 'id, kb, entries AS chunks, body_tokens AS tokens, next_slot AS nextSlot, generation'

/** Reads spaces of entries inside the caller's transaction. */
export interface EntrySpaceReader {
  /** Undefined when the knowledge base never had an entry. */
  ofKnowledgeBase(kb: number): EntrySpace | undefined
  get(id: number): EntrySpace | undefined
  all(): EntrySpace[]
}

export function entrySpaceReader(database: DatabaseSync): EntrySpaceReader {
  const byKnowledgeBase = database.prepare(`SELECT ${COLUMNS} FROM entry_space WHERE kb = ?`)
  const byId = database.prepare(`SELECT ${COLUMNS} FROM entry_space WHERE id = ?`)
  const all = database.prepare(`SELECT ${COLUMNS} FROM entry_space ORDER BY id`)
  return {
    ofKnowledgeBase: (kb) => rowOf(byKnowledgeBase.get(kb)),
    get: (id) => rowOf(byId.get(id)),
    all: () => all.all().map(entrySpaceOf)
  }
}

function rowOf(row: Record<string, unknown> | undefined): EntrySpace | undefined {
  return row === undefined ? undefined : entrySpaceOf(row)
}

function entrySpaceOf(row: Record<string, unknown>): EntrySpace {
  return { ...spaceOf(row, 'entries'), kb: Number(row.kb) }
}
