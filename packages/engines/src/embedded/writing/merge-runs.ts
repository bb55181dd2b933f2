import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { collectTerms, encodeRow } from '../postings/posting-row.ts'
import type { RowTerm, TermMap } from '../postings/posting-row.ts'
import { inSlotOrder } from '../postings/posting-words.ts'
import { bucketsOf, COARSE_BUCKETS, FINE_BUCKETS, PAGE_SLOTS, postingKey } from '../storage/keys.ts'
import type { BucketPlace, Granularity } from '../storage/keys.ts'
import type { MergeRange } from './page-work.ts'

/** Runs of one page to join. */
export interface MergeTask extends MergeRange {
  readonly kb: number
  readonly page: number
}

/** Steps of a merge: each takes one coarse bucket and the fine buckets of the same terms. */
export const MERGE_STEPS = COARSE_BUCKETS

interface StoredRow {
  readonly place: BucketPlace
  readonly data: Uint8Array
}

/**
 * Joins the rows of one bucket. A term lives in one bucket only, and its rows are replaced in one transaction, so after
 * any number of steps a reader finds each posting exactly once: a merge can stop anywhere, and be begun again.
 */
export class RunMerger {
  readonly #rows: StatementSync
  readonly #delete: StatementSync
  readonly #insert: StatementSync

  constructor(database: DatabaseSync) {
    this.#rows = database.prepare('SELECT data FROM posting WHERE key BETWEEN ? AND ? ORDER BY key')
    this.#rows.setReturnArrays(true)
    this.#delete = database.prepare('DELETE FROM posting WHERE key BETWEEN ? AND ?')
    this.#insert = database.prepare('INSERT INTO posting VALUES (?, ?)')
  }

  /** @param step 0 up to `MERGE_STEPS` */
  mergeStep(task: MergeTask, step: number): void {
    const places = placesOf(task.kb, step)
    const rows = places.flatMap((place) => this.#read(task, place))
    if (isMerged(rows, task.granularity)) return
    const terms: TermMap = new Map()
    for (const row of rows) collectTerms(row.data, terms)
    const buckets = new Map<number, RowTerm[]>()
    const mask = bucketsOf(task.granularity) - 1
    for (const [key, { hash, flat }] of terms) {
      const term = { key, hash, flat: inSlotOrder(flat) }
      const bucket = buckets.get(hash & mask)
      if (bucket === undefined) buckets.set(hash & mask, [term])
      else bucket.push(term)
    }
    for (const place of places) this.#delete.run(...this.#range(task, place))
    for (const [bucket, found] of buckets) {
      const key = postingKey({ kb: task.kb, granularity: task.granularity, bucket }, slotOf(task, task.from))
      this.#insert.run(key, encodeRow(task.page, found, 0))
    }
  }

  #read(task: MergeTask, place: BucketPlace): StoredRow[] {
    return this.#rows.all(...this.#range(task, place)).map((columns) => {
      return { place, data: (columns as unknown as [Uint8Array])[0] }
    })
  }

  #range(task: MergeTask, place: BucketPlace): [bigint, bigint] {
    return [postingKey(place, slotOf(task, task.from)), postingKey(place, slotOf(task, task.to - 1))]
  }
}

/** A coarse bucket, and the fine buckets that its terms would be in. */
function placesOf(kb: number, step: number): BucketPlace[] {
  const fine = Array.from({ length: FINE_BUCKETS / COARSE_BUCKETS }, (_, index): BucketPlace => {
    return { kb, granularity: 'fine', bucket: step + index * COARSE_BUCKETS }
  })
  // Coarse runs mostly follow the fine ones, and then postings are found in slot order.
  return [...fine, { kb, granularity: 'coarse', bucket: step }]
}

/** True when each bucket has one row at most, and of the wanted granularity. */
function isMerged(rows: readonly StoredRow[], granularity: Granularity): boolean {
  const buckets = new Set(rows.map((row) => row.place.bucket))
  return buckets.size === rows.length && rows.every((row) => row.place.granularity === granularity)
}

function slotOf(task: MergeTask, slot: number): number {
  return task.page * PAGE_SLOTS + slot
}
