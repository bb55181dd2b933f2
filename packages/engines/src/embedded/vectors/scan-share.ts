import { EXTENT_ROWS } from './vector-memory.ts'
import type { ScannedExtent } from './extent-scan.ts'
import type { ScanQuery } from './scan-kernel.ts'

// Memory by which a reader lets its helper take a part of a scan. The reader takes extents from the front of the list, the
// helper from the back, and one counter says how many nobody has taken: each is scanned once, and what the helper did not
// answer for the reader knows without asking.

/** A million rows and some; what a longer list has in front stays with the reader. */
export const SHARED_EXTENTS = 16_384
/** More candidates than this the helper does not give; the reader then scans its part again. */
const SHARED_CANDIDATES = 4_096
const TOO_MANY = -1

/** Changes with each request; `CLOSED` ends the helper. */
const REQUEST = 0
/** The request that the helper has done. */
const FINISHED = 1
/** Extents that nobody has taken. */
const LEFT = 2
const LENGTH = 3
const LIMIT = 4
const FOUND = 5
/** 1 as soon as the helper waits for work. */
export const SHARE_READY = 6
const CELLS = 7
const CLOSED = -1

export interface ScanShareMemory {
  readonly cells: Int32Array
  /** Scale, factor and slack of both precisions. */
  readonly query: Float64Array
  /** Extent and rows, by place in the list. */
  readonly extents: Int32Array
  /** 64 a place: whether a row is in scope. */
  readonly live: Uint8Array
  /** Place and row of each candidate. */
  readonly places: Int32Array
  readonly scores: Float32Array
}

export function createScanShare(): ScanShareMemory {
  return {
    cells: new Int32Array(new SharedArrayBuffer(4 * CELLS)),
    query: new Float64Array(new SharedArrayBuffer(8 * 6)),
    extents: new Int32Array(new SharedArrayBuffer(4 * 2 * SHARED_EXTENTS)),
    live: new Uint8Array(new SharedArrayBuffer(EXTENT_ROWS * SHARED_EXTENTS)),
    places: new Int32Array(new SharedArrayBuffer(4 * 2 * SHARED_CANDIDATES)),
    scores: new Float32Array(new SharedArrayBuffer(4 * SHARED_CANDIDATES))
  }
}

/** A candidate that the helper found. */
export interface SharedCandidate {
  /** In the list. */
  readonly place: number
  readonly row: number
  readonly score: number
}

/** The reader's side. Nothing here waits but `finish`. */
export class ScanOffer {
  readonly #memory: ScanShareMemory
  #request = 0

  constructor(memory: ScanShareMemory) {
    this.#memory = memory
  }

  get ready(): boolean {
    return Atomics.load(this.#memory.cells, SHARE_READY) === 1
  }

  /** Lets the helper begin. At most `SHARED_EXTENTS`. */
  begin(list: readonly ScannedExtent[], { quick, fine }: ScanQuery, limit: number): void {
    const { cells, query, extents, live } = this.#memory
    query.set([quick.scale, quick.factor, quick.slack, fine.scale, fine.factor, fine.slack])
    for (const [place, item] of list.entries()) {
      extents[2 * place] = item.extent
      extents[2 * place + 1] = item.count
      const start = place * EXTENT_ROWS
      for (let row = 0; row < item.count; row++) live[start + row] = item.live[item.first + row] === 0 ? 0 : 1
    }
    cells[LENGTH] = list.length
    cells[LIMIT] = limit
    Atomics.store(cells, LEFT, list.length)
    this.#request = this.#request === 2 ** 31 - 1 ? 1 : this.#request + 1
    Atomics.store(cells, REQUEST, this.#request)
    Atomics.notify(cells, REQUEST)
  }

  /** Takes the next extent from the front; false when none is left. */
  take(): boolean {
    return takeOne(this.#memory.cells)
  }

  /**
   * Takes what is left and waits until the helper has ended what it took.
   * @returns its candidates; `again` when it had too many, `lost` when it did not come to an end
   */
  finish(limitMs: number): readonly SharedCandidate[] | 'again' | 'lost' {
    const { cells, places, scores } = this.#memory
    Atomics.store(cells, LEFT, 0)
    const end = performance.now() + limitMs
    for (;;) {
      const finished = Atomics.load(cells, FINISHED)
      if (finished === this.#request) break
      const left = end - performance.now()
      if (left <= 0) return 'lost'
      Atomics.wait(cells, FINISHED, finished, left)
    }
    const found = cells[FOUND]!
    if (found === TOO_MANY) return 'again'
    return Array.from({ length: found }, (_, index) => ({
      place: places[2 * index]!,
      row: places[2 * index + 1]!,
      score: scores[index]!
    }))
  }

  close(): void {
    Atomics.store(this.#memory.cells, REQUEST, CLOSED)
    Atomics.notify(this.#memory.cells, REQUEST)
  }
}

/** The helper's side. */
export interface SharedScan {
  readonly limit: number
  readonly query: ScanQuery
  /** From the back of the list; undefined when none is left. */
  take(): { readonly place: number; readonly extent: ScannedExtent } | undefined
}

/** Does one shared scan after another until the reader closes; blocks the thread. */
export function serveScans(memory: ScanShareMemory, work: (scan: SharedScan) => readonly SharedCandidate[]): void {
  const { cells, places, scores } = memory
  let done = 0
  Atomics.store(cells, SHARE_READY, 1)
  for (;;) {
    Atomics.wait(cells, REQUEST, done)
    const request = Atomics.load(cells, REQUEST)
    if (request === CLOSED) return
    if (request === done) continue
    const candidates = work(sharedScan(memory))
    const fits = candidates.length <= SHARED_CANDIDATES
    for (const [index, { place, row, score }] of fits ? candidates.entries() : []) {
      places[2 * index] = place
      places[2 * index + 1] = row
      scores[index] = score
    }
    cells[FOUND] = fits ? candidates.length : TOO_MANY
    done = request
    Atomics.store(cells, FINISHED, done)
    Atomics.notify(cells, FINISHED)
  }
}

function sharedScan({ cells, query, extents, live }: ScanShareMemory): SharedScan {
  const [scale7, factor7, slack7, scale16, factor16, slack16] = query
  let next = cells[LENGTH]!
  return {
    limit: cells[LIMIT]!,
    query: {
      quick: { scale: scale7!, factor: factor7!, slack: slack7! },
      fine: { scale: scale16!, factor: factor16!, slack: slack16! }
    },
    take: () => {
      if (!takeOne(cells)) return undefined
      const place = --next
      const [extent, count] = [extents[2 * place]!, extents[2 * place + 1]!]
      return { place, extent: { extent, count, first: place * EXTENT_ROWS, live } }
    }
  }
}

/** The counter may go below 0 while both look for the last one; it is set anew with each request. */
function takeOne(cells: Int32Array): boolean {
  return Atomics.sub(cells, LEFT, 1) > 0
}
