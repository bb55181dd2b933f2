import { PAGE_SLOTS } from '../storage/keys.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import { quantiseQuery, quantiseQueryQuick } from '../vectors/quantise.ts'
import type { ScanHelper, SharedWork } from '../threads/scan-helper.ts'
import { ExtentScan } from '../vectors/extent-scan.ts'
import type { ScannedExtent } from '../vectors/extent-scan.ts'
import type { ScanBounds, ScanQuery } from '../vectors/scan-kernel.ts'
import type { SharedCandidate } from '../vectors/scan-share.ts'
import { EXTENT_ROWS, readerScratch } from '../vectors/vector-memory.ts'
import type { VectorMemory } from '../vectors/vector-memory.ts'
import { NO_EXTENT, VectorRows } from '../vectors/vector-rows.ts'
import type { ScoredSlot } from './ranked-hits.ts'
import type { StopCheck } from './read-transaction.ts'
import type { Selection } from './selection.ts'
import { TopCandidates } from './top-candidates.ts'
import type { VectorReader } from './vector-reader.ts'

/**
 * Covers what the scan's f32 arithmetic can be off: some roundings of 2^-24 each, of scores, bounds and threshold, on values
 * of at most about 1; with room to spare.
 */
const FLOAT_SLACK = 1e-6

export interface SlotQuery {
  readonly vector: Float32Array
  readonly limit: number
  /** The exact cosine of a slot's vector, which decides. */
  readonly cosine: (slots: PageSlots, slot: number) => number
}

/** A slot that may be among the best. */
interface Candidate {
  readonly slots: PageSlots
  readonly slot: number
}

/** One extent of a page, and which of its slots are in scope. */
interface SlotExtent extends ScannedExtent {
  readonly slots: PageSlots
}

/** A caller that has gone is noticed at least this often, in extents. */
const STOP_EVERY = 64

/** What a scan shares with other threads. */
export interface SharedScanParts {
  readonly memory: VectorMemory
  readonly reader: number
  readonly helper?: ScanHelper
}

/**
 * The exact nearest slots of a scope. With row x = s*q + e and query y = t*p + g, both of norm 1 (q, p whole numbers),
 *   |x.y - s*t*(q.p)| <= |e| + |g| + |e||g|
 * so a row's score is known to within that bound from int8 alone. A row whose upper bound stays below the k-th best lower
 * bound cannot be among the k best; the rest is scored in float32 vectors with 64-bit sums, best bound first.
 */
export class NearestSlots {
  readonly #rows: VectorRows
  readonly #extentScan: ExtentScan
  readonly #memory: VectorMemory
  readonly #reader: number
  readonly #helper: ScanHelper | undefined
  readonly #vectors: VectorReader

  constructor(shared: SharedScanParts, vectors: VectorReader) {
    this.#memory = shared.memory
    this.#reader = shared.reader
    this.#helper = shared.helper
    this.#rows = new VectorRows(shared.memory, shared.reader)
    this.#extentScan = new ExtentScan(shared.memory, readerScratch(shared.memory.dimension, shared.reader))
    this.#vectors = vectors
  }

  /** The best `limit` and whatever ties with the last of them, in no order. */
  find(query: SlotQuery, selections: readonly Selection[], stop: StopCheck): ScoredSlot[] {
    const chunks = selections.reduce((sum, selection) => sum + selection.chunks, 0)
    const bounded = { ...query, limit: Math.min(query.limit, chunks) }
    if (bounded.limit === 0) return []
    const candidates = this.#rows.scan(() => this.#scan(bounded, selections, stop))
    return this.#score(bounded, candidates)
  }

  /** Loads the rows of knowledge bases ahead of the first search. */
  load(selections: readonly Selection[], stop: StopCheck): void {
    this.#rows.scan(() => {
      for (const selection of selections) {
        for (const slots of selection.pages.values()) {
          stop()
          this.#extents(selection, slots)
        }
      }
    })
  }

  #scan(query: SlotQuery, selections: readonly Selection[], stop: StopCheck): TopCandidates<Candidate> {
    const bounds = this.#writeQuery(query.vector)
    const top = new TopCandidates<Candidate>(query.limit)
    const list = this.#extentsIn(selections, stop)
    const shared = this.#helper?.share(list, bounds, query.limit)
    let next = 0
    let helped: ReturnType<SharedWork['finish']> | undefined
    try {
      while (shared === undefined ? next < list.length : shared.take()) {
        if (next % STOP_EVERY === 0) stop()
        this.#scanExtent(list[next++]!, bounds, top)
      }
    } finally {
      // Also when the caller has gone: nobody may read rows any more once this scan counts as ended.
      helped = shared?.finish()
    }
    if (helped === 'again') for (const extent of list.slice(next)) this.#scanExtent(extent, bounds, top)
    else for (const found of helped ?? []) this.#addFound(list[found.place]!, found, bounds, top)
    return top
  }

  #scanExtent(extent: SlotExtent, bounds: ScanQuery, top: TopCandidates<Candidate>): void {
    const { slots, first } = extent
    this.#extentScan.scan(extent, bounds, top, (row) => ({ slots, slot: first + row }))
  }

  #addFound(
    { slots, first, extent }: SlotExtent,
    { row, score }: SharedCandidate,
    bounds: ScanQuery,
    top: TopCandidates<Candidate>
  ): void {
    const error = this.#extentScan.error(extent, row, bounds)
    top.add({ slots, slot: first + row }, score - error, score + error)
  }

  /** Puts the query where the kernel finds it. */
  #writeQuery(vector: Float32Array): ScanQuery {
    const { dimension, memory } = this.#memory
    const { query7, query16 } = readerScratch(dimension, this.#reader)
    const quick = quantiseQueryQuick(vector)
    const fine = quantiseQuery(vector)
    new Uint8Array(memory.buffer, query7, quick.values.length).set(quick.values)
    new Int16Array(memory.buffer, query16, fine.values.length).set(fine.values)
    return { quick: boundsOf(quick), fine: boundsOf(fine) }
  }

  /** What is to be scanned, with the rows in memory. */
  #extentsIn(selections: readonly Selection[], stop: StopCheck): SlotExtent[] {
    const list: SlotExtent[] = []
    for (const selection of selections) {
      this.#releaseGone(selection)
      for (const [page, slots] of selection.pages) {
        stop()
        const mask = selection.masks?.get(page)
        const extents = this.#extents(selection, slots)
        for (let first = 0; first < slots.used; first += EXTENT_ROWS) {
          const extent = extents[first / EXTENT_ROWS]!
          const count = Math.min(EXTENT_ROWS, slots.used - first)
          if (extent === NO_EXTENT || (mask !== undefined && !anyIn(mask, first, first + count))) continue
          list.push({ extent, first, count, live: mask ?? slots.lengths, slots })
        }
      }
    }
    return list
  }

  /** Exact scores, best upper bound first, until no upper bound reaches the k-th best exact score. */
  #score(query: SlotQuery, candidates: TopCandidates<Candidate>): ScoredSlot[] {
    const exact = new TopCandidates<ScoredSlot>(query.limit)
    for (const { item, possible } of candidates.remaining()) {
      if (possible < exact.threshold) break
      const score = query.cosine(item.slots, item.slot)
      exact.add({ ...item, score }, score, score)
    }
    return exact.remaining().map((entry) => entry.item)
  }

  #extents(selection: Selection, slots: PageSlots): Int32Array {
    const { kb } = selection
    const { page, used } = slots
    const read = (fromSlot: number) => this.#vectors.quantised(kb.id, page, fromSlot)
    return this.#rows.extentsOf({ kb: kb.id, page, used, read })
  }

  #releaseGone(selection: Selection): void {
    const { kb, existing } = selection
    const newest = Math.floor(kb.nextSlot / PAGE_SLOTS)
    this.#rows.release(kb.id, (page) => page >= newest || existing.has(page))
  }
}

function anyIn(mask: Uint8Array, from: number, to: number): boolean {
  const found = mask.indexOf(1, from)
  return found >= 0 && found < to
}

/** |x.y - score| <= |e| + |g| + |e||g|, as |e| * factor + slack. */
function boundsOf(query: { readonly scale: number; readonly residual: number }): ScanBounds {
  return { scale: query.scale, factor: 1 + query.residual, slack: query.residual + FLOAT_SLACK }
}
