import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SlotSpace } from './slot-space.ts'
import { MAX_PAGES, pageKey, pageOfKey } from './keys.ts'
import { decodeSlots } from './page-slots.ts'
import type { PageSlots } from './page-slots.ts'

/** The pages of one space at one generation, ascending. */
export interface KnowledgeBaseSlots {
  readonly generation: number
  readonly pages: ReadonlyMap<number, PageSlots>
}

/**
 * Keeps the slots of spaces (12 bytes a slot) between transactions. A generation is only ever used for one
 * state of the file, so what another process wrote is noticed by the number alone, and only changed pages are read again.
 */
export class SlotDirectory {
  readonly #known = new Map<number, KnowledgeBaseSlots>()
  readonly #generations: StatementSync
  readonly #slots: StatementSync

  constructor(database: DatabaseSync) {
    this.#generations = database.prepare(
      'SELECT key, generation, used, dead FROM page WHERE key BETWEEN ? AND ? ORDER BY key'
    )
    this.#slots = database.prepare('SELECT slots FROM page WHERE key = ?')
  }

  /** Call it inside the transaction that `row` was read in. */
  read(row: SlotSpace): KnowledgeBaseSlots {
    const known = this.#known.get(row.id)
    if (known?.generation === row.generation) return known
    const pages = new Map<number, PageSlots>()
    for (const found of this.#generations.all(pageKey(row.id, 0), pageKey(row.id, MAX_PAGES - 1))) {
      const page = pageOfKey(Number(found.key))
      const generation = Number(found.generation)
      const before = known?.pages.get(page)
      pages.set(page, before?.generation === generation ? before : this.#readPage(row.id, found))
    }
    const slots = { generation: row.generation, pages }
    this.#known.set(row.id, slots)
    return slots
  }

  #readPage(kb: number, found: Record<string, unknown>): PageSlots {
    const page = pageOfKey(Number(found.key))
    const used = Number(found.used)
    const bytes = this.#slots.get(pageKey(kb, page))!.slots as Uint8Array
    return { page, generation: Number(found.generation), used, dead: Number(found.dead), ...decodeSlots(bytes, used) }
  }
}
