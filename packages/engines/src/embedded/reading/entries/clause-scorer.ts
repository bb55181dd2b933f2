import { bm25TermScore } from '@oncall-agent/retrieval'
import type { BothFields, ClauseMatch } from '@oncall-agent/retrieval'
import { visitPostings } from '../../postings/posting-words.ts'
import { PAGE_SLOTS } from '../../storage/keys.ts'
import type { PageSlots } from '../../storage/page-slots.ts'
import type { FieldTerm, ReadClause } from './clause-terms.ts'

/** A page, and the position of its selection, by which its postings are found. */
export interface PlacedPage {
  readonly at: number
  readonly slots: PageSlots
}

export interface ClauseScoring {
  readonly mode: ClauseMatch['mode']
  readonly clauses: readonly ReadClause[]
  readonly titleBoost: number
  readonly averageLengths: BothFields<number>
}

/** One keyword in one field. */
interface FieldPass {
  readonly terms: readonly FieldTerm[]
  readonly minimum: number
  readonly averageLength: number
  readonly boost: number
  /** Tokens of the field by slot, more by `excess`. */
  readonly lengths: Uint32Array
  readonly excess: number
}

/** A clause's score where the clause does not match; those that match are 0 or more. */
const NO_MATCH = -1

/**
 * The BM25 part of all entries of a page at once. Additions are those of `documentScore` and in its order (tokens of a keyword
 * in a field, then keywords), so a score is the very number that brute force gives.
 */
export class ClauseScorer {
  /** By slot of the page scored last; 0 where nothing matches. */
  readonly scores = new Float64Array(PAGE_SLOTS)
  readonly #matching = new Uint32Array(PAGE_SLOTS)
  readonly #clause = new Float64Array(PAGE_SLOTS)
  readonly #field = new Float64Array(PAGE_SLOTS)
  readonly #present = new Uint32Array(PAGE_SLOTS)

  /** Scores a page; what matches is then asked of `isMatch`. */
  score(page: PlacedPage, scoring: ClauseScoring): void {
    const { used, lengths, sequences } = page.slots
    const { titleBoost, averageLengths } = scoring
    this.scores.fill(0, 0, used)
    this.#matching.fill(0, 0, used)
    for (const { terms, minimum } of scoring.clauses) {
      this.#clause.fill(NO_MATCH, 0, used)
      const title = { terms: terms.title, boost: titleBoost, averageLength: averageLengths.title, lengths: sequences }
      const body = { terms: terms.body, boost: 1, averageLength: averageLengths.body, lengths }
      this.#addField(page, { ...title, minimum, excess: 0 })
      this.#addField(page, { ...body, minimum, excess: 1 })
      for (let slot = 0; slot < used; slot++) {
        const score = this.#clause[slot]!
        if (score === NO_MATCH) continue
        this.#matching[slot]!++
        this.scores[slot]! += score
      }
    }
  }

  /** Whether enough clauses match; the slot may be dead or filtered out all the same. */
  isMatch(slot: number, { mode, clauses }: ClauseScoring): boolean {
    return this.#matching[slot]! >= (mode === 'all' ? clauses.length : 1)
  }

  /** The better of the fields counts. */
  #addField(page: PlacedPage, pass: FieldPass): void {
    const { used } = page.slots
    if (!this.#addTerms(page, pass)) return
    for (let slot = 0; slot < used; slot++) {
      const present = this.#present[slot]!
      if (present === 0 || present < pass.minimum) continue
      this.#clause[slot] = Math.max(this.#clause[slot]!, pass.boost * this.#field[slot]!)
    }
  }

  /** False when the page has none of the terms. */
  #addTerms({ at, slots }: PlacedPage, { terms, averageLength, lengths, excess }: FieldPass): boolean {
    if (!terms.some(({ postings }) => postings[at]!.has(slots.page))) return false
    const field = this.#field.fill(0, 0, slots.used)
    const present = this.#present.fill(0, 0, slots.used)
    for (const { idf, postings } of terms) {
      for (const run of postings[at]!.get(slots.page) ?? []) {
        visitPostings(run, (slot, frequency) => {
          present[slot]!++
          field[slot]! += idf * bm25TermScore(frequency, lengths[slot]! - excess, averageLength)
        })
      }
    }
    return true
  }
}
