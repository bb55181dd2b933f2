import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { encodeRow, termsOfRow } from '../postings/posting-row.ts'
import type { RowTerm } from '../postings/posting-row.ts'
import { joinPostings, SLOT_MASK } from '../postings/posting-words.ts'
import type { TermPostings } from '../postings/posting-words.ts'
import type { Term } from '../postings/term.ts'
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

interface TermParts extends Term {
  readonly parts: TermPostings[]
}

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
    const buckets = new Map<number, RowTerm[]>()
    const size = bucketsOf(task.granularity)
    for (const { key, hash, parts } of collectTerms(rows)) {
      const bucket = hash & (size - 1)
      const terms = buckets.get(bucket)
      const joined = { key, hash, ...joinPostings(parts.toSorted(bySlot)) }
      if (terms === undefined) buckets.set(bucket, [joined])
      else terms.push(joined)
    }
    for (const place of places) this.#delete.run(...this.#range(task, place))
    for (const [bucket, terms] of buckets) {
      const key = postingKey({ kb: task.kb, granularity: task.granularity, bucket }, slotOf(task, task.from))
      this.#insert.run(key, encodeRow(task.page, terms))
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
  return [{ kb, granularity: 'coarse', bucket: step }, ...fine]
}

/** True when each bucket has one row at most, and of the wanted granularity. */
function isMerged(rows: readonly StoredRow[], granularity: Granularity): boolean {
  const buckets = new Set(rows.map((row) => row.place.bucket))
  return buckets.size === rows.length && rows.every((row) => row.place.granularity === granularity)
}

function collectTerms(rows: readonly StoredRow[]): Iterable<TermParts> {
  const terms = new Map<string, TermParts>()
  for (const row of rows) {
    for (const { key, hash, count, words } of termsOfRow(row.data)) {
      const known = terms.get(key)
      if (known === undefined) terms.set(key, { key, hash, parts: [{ count, words }] })
      else known.parts.push({ count, words })
    }
  }
  return terms.values()
}

function bySlot(left: TermPostings, right: TermPostings): number {
  return (left.words[0]! & SLOT_MASK) - (right.words[0]! & SLOT_MASK)
}

function slotOf(task: MergeTask, slot: number): number {
  return task.page * PAGE_SLOTS + slot
}
