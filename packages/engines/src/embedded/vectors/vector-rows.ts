import { PortError } from '@oncall-agent/retrieval'
import {
  CONTROL_EPOCH,
  CONTROL_EXTENTS,
  CONTROL_LOCK,
  CONTROL_READERS,
  CONTROL_VERSION,
  EXTENT_CELLS,
  EXTENT_FILLED,
  EXTENT_KB,
  EXTENT_PAGE,
  EXTENT_PART,
  EXTENT_ROWS,
  EXTENT_STATE,
  MAX_READERS,
  vectorLayout
} from './vector-memory.ts'
import type { VectorLayout, VectorMemory } from './vector-memory.ts'
import { PAGE_SLOTS } from '../storage/keys.ts'
import { quantisedRowBytes, ROW_COLUMNS } from './quantise.ts'
import { SharedLock } from './shared-lock.ts'
import { WASM_PAGE_BYTES } from './scan-kernel.ts'

const FREE = 0
const IN_USE = 1
/** Any state above is the epoch of its freeing: a scan that began before may still read it. */

const PARTS = PAGE_SLOTS / EXTENT_ROWS
/** No extent for this part of the page. */
export const NO_EXTENT = -1

/** Rows of consecutive slots, as the file's `quantised` table keeps them. */
export interface QuantisedRows {
  /** Within the page. */
  readonly slot: number
  readonly data: Uint8Array
}

/** A page whose rows a search needs. */
export interface NeededPage {
  readonly kb: number
  readonly page: number
  readonly used: number
  /** Reads the rows of the page from a slot on, ascending; may begin with rows before it. */
  readonly read: (fromSlot: number) => Iterable<QuantisedRows>
}

/**
 * One reader's view of the shared rows. Rows of a slot never change and page numbers are not used twice, so a row that is
 * there is right for every snapshot that has the slot; only what no snapshot needs any more is given back.
 */
export class VectorRows {
  readonly layout: VectorLayout
  readonly #shared: VectorMemory
  readonly #reader: number
  readonly #lock: SharedLock
  #version = -1
  /** Extents of each page by part. */
  #pages = new Map<string, Int32Array>()

  constructor(shared: VectorMemory, reader: number) {
    this.layout = vectorLayout(shared.dimension)
    this.#shared = shared
    this.#reader = reader
    this.#lock = new SharedLock(shared.control.subarray(CONTROL_LOCK, CONTROL_LOCK + 1), reader + 1)
  }

  /** Marks this reader as scanning while `work` runs, so that no extent is reused under it. */
  scan<T>(work: () => T): T {
    const cell = CONTROL_READERS + this.#reader
    const { control } = this.#shared
    this.#lock.hold(() => Atomics.store(control, cell, control[CONTROL_EPOCH]!))
    try {
      return work()
    } finally {
      Atomics.store(control, cell, 0)
    }
  }

  /** Loads what is missing of a page, and gives its extents by part. Only inside `scan`. */
  extentsOf(needed: NeededPage): Int32Array {
    if (this.#shared.control[CONTROL_VERSION] === this.#version) {
      const known = this.#pages.get(pageName(needed.kb, needed.page))
      if (known !== undefined && this.#filled(known) >= needed.used) return known
    }
    // Page by page, so that readers that load at once share the work and neither waits for all of it.
    return this.#lock.hold(() => {
      this.#readTable()
      const extents = this.#pages.get(pageName(needed.kb, needed.page)) ?? new Int32Array(PARTS).fill(NO_EXTENT)
      if (this.#filled(extents) < needed.used) this.#load(needed, extents)
      return extents
    })
  }

  /**
   * Gives back the pages of a knowledge base that a snapshot no longer has.
   * @param exists whether the page is in the snapshot, or may be in a later one
   */
  release(kb: number, exists: (page: number) => boolean): void {
    const { control } = this.#shared
    if (control[CONTROL_VERSION] === this.#version && !this.#hasGonePage(kb, exists)) return
    this.#lock.hold(() => {
      this.#readTable()
      if (!this.#hasGonePage(kb, exists)) return
      const epoch = ++control[CONTROL_EPOCH]!
      for (let extent = 0; extent < control[CONTROL_EXTENTS]!; extent++) {
        const entry = this.#entry(extent)
        if (entry[EXTENT_STATE] !== IN_USE || entry[EXTENT_KB] !== kb || exists(entry[EXTENT_PAGE]!)) continue
        entry[EXTENT_STATE] = epoch
      }
      control[CONTROL_VERSION]!++
      this.#readTable()
    })
  }

  #hasGonePage(kb: number, exists: (page: number) => boolean): boolean {
    const prefix = `${kb}/`
    for (const name of this.#pages.keys()) {
      if (name.startsWith(prefix) && !exists(Number(name.slice(prefix.length)))) return true
    }
    return false
  }

  #load(needed: NeededPage, extents: Int32Array): void {
    const rowBytes = quantisedRowBytes(this.#shared.dimension)
    for (const { slot, data } of needed.read(this.#filled(extents))) {
      const count = data.byteLength / rowBytes
      for (let row = 0; row < count;) {
        const part = Math.floor((slot + row) / EXTENT_ROWS)
        const within = (slot + row) % EXTENT_ROWS
        const rows = Math.min(count - row, EXTENT_ROWS - within)
        if (extents[part] === NO_EXTENT) extents[part] = this.#allocate(needed, part)
        this.#copy({ data, count, row, rows }, this.layout.extentStart(extents[part]!), within)
        this.#setFilled(extents[part]!, within + rows)
        row += rows
      }
    }
    this.#readTable()
  }

  #copy(from: { data: Uint8Array; count: number; row: number; rows: number }, extent: number, within: number): void {
    const { data, count, row, rows } = from
    const { width, columns } = this.layout
    const target = new Uint8Array(this.#shared.memory.buffer)
    target.set(data.subarray(row * width, (row + rows) * width), extent + within * width)
    for (let column = 0; column < ROW_COLUMNS; column++) {
      const start = count * (width + column * 4) + row * 4
      target.set(data.subarray(start, start + rows * 4), extent + columns + (column * EXTENT_ROWS + within) * 4)
    }
  }

  #allocate(needed: NeededPage, part: number): number {
    // Before the change, not after the whole load: what a load that fails half-way has filled is found by the next one.
    this.#shared.control[CONTROL_VERSION]!++
    const extent = this.#reusable() ?? this.#append()
    this.#entry(extent).set([IN_USE, needed.kb, needed.page, part, 0])
    return extent
  }

  #reusable(): number | undefined {
    const { control } = this.#shared
    // Nothing was ever freed: spares looking through the table for each new extent.
    if (control[CONTROL_EPOCH] === 1) return undefined
    for (let extent = 0; extent < control[CONTROL_EXTENTS]!; extent++) {
      const state = this.#entry(extent)[EXTENT_STATE]!
      if (state === FREE || (state > IN_USE && this.#nobodyScansSince(state))) return extent
    }
    return undefined
  }

  #nobodyScansSince(epoch: number): boolean {
    for (let reader = 0; reader < MAX_READERS; reader++) {
      const began = Atomics.load(this.#shared.control, CONTROL_READERS + reader)
      if (began !== 0 && began < epoch) return false
    }
    return true
  }

  #append(): number {
    const { control, memory } = this.#shared
    const extent = control[CONTROL_EXTENTS]!
    if (extent >= this.layout.maxExtents) {
      throw new PortError('unavailable', {
        operation: 'load vectors',
        subject: `${extent * EXTENT_ROWS} rows`,
        reason: 'the rows of all knowledge bases in use do not fit the memory that one scan can address',
        hint: 'Divide the knowledge bases over several --data folders; one index is made for fewer chunks.'
      })
    }
    const missing = this.layout.extentStart(extent + 1) - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
    control[CONTROL_EXTENTS] = extent + 1
    return extent
  }

  #entry(extent: number): Int32Array {
    return this.#shared.table.subarray(extent * EXTENT_CELLS, (extent + 1) * EXTENT_CELLS)
  }

  /** Rows that are there, without a gap from slot 0. */
  #filled(extents: Int32Array): number {
    const free = extents.indexOf(NO_EXTENT)
    const last = (free < 0 ? PARTS : free) - 1
    return last < 0 ? 0 : last * EXTENT_ROWS + Atomics.load(this.#entry(extents[last]!), EXTENT_FILLED)
  }

  /** Atomic, so that whoever sees the number sees the rows. */
  #setFilled(extent: number, rows: number): void {
    const entry = this.#entry(extent)
    if (rows > entry[EXTENT_FILLED]!) Atomics.store(entry, EXTENT_FILLED, rows)
  }

  #readTable(): void {
    const { control } = this.#shared
    if (control[CONTROL_VERSION] === this.#version) return
    this.#version = control[CONTROL_VERSION]!
    this.#pages = new Map()
    for (let extent = 0; extent < control[CONTROL_EXTENTS]!; extent++) {
      const entry = this.#entry(extent)
      if (entry[EXTENT_STATE] !== IN_USE) continue
      const name = pageName(entry[EXTENT_KB]!, entry[EXTENT_PAGE]!)
      let extents = this.#pages.get(name)
      if (extents === undefined) this.#pages.set(name, (extents = new Int32Array(PARTS).fill(NO_EXTENT)))
      extents[entry[EXTENT_PART]!] = extent
    }
  }
}

function pageName(kb: number, page: number): string {
  return `${kb}/${page}`
}
