import { bm25lTermScore } from '@oncall-agent/retrieval'
import type { TermPostings } from '../postings/posting-words.ts'
import { FREQUENCY_SHIFT, OVERFLOW, SLOT_MASK } from '../postings/posting-words.ts'
import { PAGE_SLOTS } from '../storage/keys.ts'

/** Frequencies that the table covers: all that a posting's word holds by itself. */
const TABLE_FREQUENCIES = OVERFLOW - 1
/** Lengths that the table covers, in tokens: chunks of some hundred tokens, with room to spare. */
const TABLE_LENGTHS = 1024
/** Postings from which on filling the table (14,336 formulas) costs less than it saves. */
const TABLE_PAYS_FROM = 40_000

/** Adds up term scores of one page, slot by slot. */
export class PageScorer {
  readonly sums = new Float64Array(PAGE_SLOTS)
  /** By frequency (the row of 0 is never read) and length. */
  readonly #table = new Float64Array((TABLE_FREQUENCIES + 1) * TABLE_LENGTHS)
  #averageLength = 1
  #useTable = false

  /** @param postings how many are going to be added, to choose the quicker way */
  start(averageLength: number, postings: number): void {
    this.#averageLength = averageLength
    // A query that failed half-way through a page must not leave its sums to the next one.
    this.sums.fill(0)
    this.#useTable = postings > TABLE_PAYS_FROM
    if (!this.#useTable) return
    for (let frequency = 1; frequency <= TABLE_FREQUENCIES; frequency++) {
      const base = frequency * TABLE_LENGTHS
      // The column is the length plus one, as pages hold it.
      for (let column = 1; column < TABLE_LENGTHS; column++) {
        this.#table[base + column] = bm25lTermScore(frequency, column - 1, averageLength)
      }
    }
  }

  /** @param lengths tokens plus one, by slot; @param weight idf times the query's repeats */
  add(postings: TermPostings, lengths: Uint32Array, weight: number): void {
    if (this.#useTable) this.#addByTable(postings, lengths, weight)
    else this.#addByFormula(postings, lengths, weight)
  }

  #addByFormula(postings: TermPostings, lengths: Uint32Array, weight: number): void {
    const { count, words } = postings
    const average = this.#averageLength
    const sums = this.sums
    let next = count
    // Written out like the loop below: a function called for each posting costs a third more.
    for (let index = 0; index < count; index++) {
      const word = words[index]!
      const slot = word & SLOT_MASK
      let frequency = word >>> FREQUENCY_SHIFT
      if (frequency === OVERFLOW) {
        frequency = words[next]! + words[next + 1]! * 0x10000
        next += 2
      }
      sums[slot]! += weight * bm25lTermScore(frequency, lengths[slot]! - 1, average)
    }
  }

  #addByTable(postings: TermPostings, lengths: Uint32Array, weight: number): void {
    const { count, words } = postings
    const table = this.#table
    const sums = this.sums
    let next = count
    for (let index = 0; index < count; index++) {
      const word = words[index]!
      const slot = word & SLOT_MASK
      const length = lengths[slot]!
      let frequency = word >>> FREQUENCY_SHIFT
      if (frequency <= TABLE_FREQUENCIES && length < TABLE_LENGTHS) {
        sums[slot]! += weight * table[frequency * TABLE_LENGTHS + length]!
        continue
      }
      if (frequency === OVERFLOW) {
        frequency = words[next]! + words[next + 1]! * 0x10000
        next += 2
      }
      sums[slot]! += weight * bm25lTermScore(frequency, length - 1, this.#averageLength)
    }
  }
}
