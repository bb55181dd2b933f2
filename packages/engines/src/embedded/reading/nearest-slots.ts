import { PAGE_SLOTS } from '../storage/keys.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import { quantiseQuery, quantiseQueryQuick } from '../vectors/quantise.ts'
import { scanKernel } from '../vectors/scan-kernel.ts'
import type { ScanBounds, ScanKernel, ScanQuery } from '../vectors/scan-kernel.ts'
import { EXTENT_ROWS } from '../vectors/vector-memory.ts'
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

interface PageScan {
  readonly slots: PageSlots
  readonly mask: Uint8Array | undefined
  readonly extents: Int32Array
  readonly query: ScanQuery
}

/**
 * The exact nearest slots of a scope. With row x = s*q + e and query y = t*p + g, both of norm 1 (q, p whole numbers),
 *   |x.y - s*t*(q.p)| <= |e| + |g| + |e||g|
 * so a row's score is known to within that bound from int8 alone. A row whose upper bound stays below the k-th best lower
 * bound cannot be among the k best; the rest is scored in float32 vectors with 64-bit sums, best bound first.
 */
export class NearestSlots {
  readonly #rows: VectorRows
  readonly #kernel: ScanKernel
  readonly #memory: VectorMemory
  readonly #reader: number
  readonly #vectors: VectorReader

  constructor(shared: { memory: VectorMemory; reader: number }, vectors: VectorReader) {
    this.#memory = shared.memory
    this.#reader = shared.reader
    this.#rows = new VectorRows(shared.memory, shared.reader)
    this.#kernel = scanKernel(shared.memory.memory)
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
    for (const selection of selections) {
      this.#releaseGone(selection)
      for (const [page, slots] of selection.pages) {
        stop()
        const mask = selection.masks?.get(page)
        this.#scanPage({ slots, mask, extents: this.#extents(selection, slots), query: bounds }, top)
      }
    }
    return top
  }

  /** Puts the query where the kernel finds it. */
  #writeQuery(vector: Float32Array): ScanQuery {
    const { layout } = this.#rows
    const { buffer } = this.#memory.memory
    const quick = quantiseQueryQuick(vector)
    const fine = quantiseQuery(vector)
    new Uint8Array(buffer, layout.query7Start(this.#reader), layout.width).set(quick.values)
    new Int16Array(buffer, layout.query16Start(this.#reader), layout.width).set(fine.values)
    return { quick: boundsOf(quick), fine: boundsOf(fine) }
  }

  #scanPage(page: PageScan, top: TopCandidates<Candidate>): void {
    const { slots, mask, extents, query } = page
    const { layout } = this.#rows
    const live = mask ?? slots.lengths
    const out = layout.candidatesStart(this.#reader)
    const { buffer } = this.#memory.memory
    const rowsFound = new Uint32Array(buffer, out, EXTENT_ROWS * 2)
    const scoresFound = new Float32Array(buffer, out, EXTENT_ROWS * 2)
    const places = {
      query7: layout.query7Start(this.#reader),
      query16: layout.query16Start(this.#reader),
      width: layout.width,
      out
    }
    for (let first = 0; first < slots.used; first += EXTENT_ROWS) {
      const extent = extents[first / EXTENT_ROWS]!
      const count = Math.min(EXTENT_ROWS, slots.used - first)
      if (extent === NO_EXTENT || (mask !== undefined && !anyIn(mask, first, first + count))) continue
      const rows = layout.extentStart(extent)
      const columns = rows + layout.columns
      const found = this.#kernel.scan({ ...places, rows, count, columns }, query, top.threshold)
      if (found === 0) continue
      const residuals = new Float32Array(buffer, columns + EXTENT_ROWS * 4, count)
      for (let index = 0; index < found; index++) {
        const row = rowsFound[2 * index]!
        if (live[first + row] === 0) continue
        const error = residuals[row]! * query.fine.factor + query.fine.slack
        const score = scoresFound[2 * index + 1]!
        top.add({ slots, slot: first + row }, score - error, score + error)
      }
    }
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
