import type { DatabaseSync } from 'node:sqlite'
import { MAX_PAGES, pageKey } from '../storage/keys.ts'
import { decodeSlots } from '../storage/page-slots.ts'
import type { SlotSpace } from '../storage/slot-space.ts'

/** A slot with something in it. */
export interface LiveSlot {
  /** Tokens plus one. */
  readonly length: number
  /** Row of the document or entry. */
  readonly document: number
}

/** The live slots of a space as the file has them, past all that is kept in memory. */
export function* liveSlots(database: DatabaseSync, { id }: SlotSpace): Generator<LiveSlot> {
  const pages = database.prepare('SELECT used, slots FROM page WHERE key BETWEEN ? AND ?')
  for (const row of pages.iterate(pageKey(id, 0), pageKey(id, MAX_PAGES - 1))) {
    const { lengths, documents } = decodeSlots(row.slots as Uint8Array, Number(row.used))
    for (const [slot, length] of lengths.entries()) if (length !== 0) yield { length, document: documents[slot]! }
  }
}
