import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PAGE_SLOTS, chunkKey, slotKey, slotOfKey } from '../storage/keys.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import type { QuantisedRows } from '../vectors/vector-rows.ts'

/** Reads vectors inside a read transaction: int8 rows by slot for the scan, float32 by chunk for what decides. */
export class VectorReader {
  readonly #exact: StatementSync
  readonly #first: StatementSync
  readonly #rows: StatementSync

  constructor(database: DatabaseSync) {
    this.#exact = database.prepare('SELECT data FROM vector WHERE key = ?')
    this.#exact.setReturnArrays(true)
    this.#first = database.prepare('SELECT max(key) AS key FROM quantised WHERE key BETWEEN ? AND ?')
    this.#rows = database.prepare('SELECT key, data FROM quantised WHERE key BETWEEN ? AND ? ORDER BY key')
  }

  exact(slots: PageSlots, slot: number): Float32Array {
    const row = this.#exact.get(chunkKey(slots.documents[slot]!, slots.sequences[slot]!))
    const [bytes] = row as unknown as [Uint8Array]
    return floatsOf(bytes)
  }

  *quantised(kb: number, page: number, fromSlot: number): Generator<QuantisedRows> {
    const start = slotKey(kb, page * PAGE_SLOTS)
    // The row that holds `fromSlot` may begin before it.
    const first = this.#first.get(start, start + fromSlot)?.key
    const from = typeof first === 'number' ? first : start
    for (const row of this.#rows.iterate(from, start + PAGE_SLOTS - 1)) {
      yield { slot: slotOfKey(Number(row.key)) % PAGE_SLOTS, data: row.data as Uint8Array }
    }
  }
}

export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}
