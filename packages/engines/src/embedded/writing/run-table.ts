import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Granularity } from '../storage/keys.ts'
import { PAGE_SLOTS, slotKey, slotOfKey } from '../storage/keys.ts'

/** Slots of a page whose postings were written together, at one granularity. The runs of a page do not overlap. */
export interface Run {
  /** First slot, within the page. */
  readonly first: number
  readonly slots: number
  readonly granularity: Granularity
}

/** What compaction knows of the runs; readers do without. */
export class RunTable {
  readonly #ofPage: StatementSync
  readonly #insert: StatementSync
  readonly #delete: StatementSync

  constructor(database: DatabaseSync) {
    this.#ofPage = database.prepare('SELECT key, slots, fine FROM run WHERE key BETWEEN ? AND ? ORDER BY key')
    this.#insert = database.prepare('INSERT INTO run VALUES (?, ?, ?)')
    this.#delete = database.prepare('DELETE FROM run WHERE key BETWEEN ? AND ?')
  }

  ofPage(kb: number, page: number): Run[] {
    const start = slotKey(kb, page * PAGE_SLOTS)
    return this.#ofPage.all(start, start + PAGE_SLOTS - 1).map((row) => ({
      first: slotOfKey(Number(row.key)) % PAGE_SLOTS,
      slots: Number(row.slots),
      granularity: row.fine === 1 ? 'fine' : 'coarse'
    }))
  }

  insert(kb: number, page: number, run: Run): void {
    this.#insert.run(slotKey(kb, page * PAGE_SLOTS + run.first), run.slots, run.granularity === 'fine' ? 1 : 0)
  }

  /** @param from first slot, within the page; @param to one past the last */
  delete(kb: number, page: number, range: { readonly from: number; readonly to: number }): void {
    const start = slotKey(kb, page * PAGE_SLOTS)
    this.#delete.run(start + range.from, start + range.to - 1)
  }
}
