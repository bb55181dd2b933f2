import type { RecallHit } from '@oncall-agent/retrieval'
import { bm25lIdf, bm25lTermScore } from '@oncall-agent/retrieval'
import { frequencyAt } from '../postings/posting-words.ts'
import { termOf } from '../postings/term.ts'
import type { Term } from '../postings/term.ts'
import type { PagePostings, PostingReader } from './posting-reader.ts'
import type { HitRanking } from './ranked-hits.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import type { StopCheck } from './read-transaction.ts'
import { PageScorer } from './score-page.ts'
import type { Selection } from './selection.ts'
import { countInScope } from './statistics.ts'
import { TopCandidates } from './top-candidates.ts'

/** A slot that may be among the best, with the postings of its page. */
interface Candidate {
  readonly found: PageTerms
  readonly slots: PageSlots
  readonly slot: number
}

/** Postings of one page, by index of the query's distinct terms. */
type PageTerms = Map<number, PagePostings[]>

interface SelectedPostings {
  readonly selection: Selection
  readonly pages: Map<number, PageTerms>
}

/** The query with the statistics of the scope. */
interface WeightedQuery {
  readonly limit: number
  readonly averageLength: number
  /** By distinct term. */
  readonly idf: readonly number[]
  readonly repeats: readonly number[]
  /** The tokens in the query's order, each as the index of its distinct term. */
  readonly order: readonly number[]
}

export interface LexicalQuery {
  readonly tokens: readonly string[]
  readonly limit: number
}

/**
 * Far above what 64-bit sums of some thousand terms differ by when added in another order, relative to the sum,
 * and far below what tells two scores apart.
 */
const SLACK = 1e-9

/**
 * BM25L over a scope. A page at a time, its postings add up in an array of 4,096 sums, in whatever order is quick;
 * what could be among the best by those sums is then scored by the formula in the query's order, which decides.
 */
export class LexicalSearch {
  readonly #postings: PostingReader
  readonly #ranking: HitRanking
  readonly #scorer = new PageScorer()

  constructor(postings: PostingReader, ranking: HitRanking) {
    this.#postings = postings
    this.#ranking = ranking
  }

  search(query: LexicalQuery, selections: readonly Selection[], stop: StopCheck): RecallHit[] {
    const chunks = selections.reduce((sum, selection) => sum + selection.chunks, 0)
    const tokens = selections.reduce((sum, selection) => sum + selection.tokens, 0)
    if (chunks === 0) return []
    const distinct = [...new Set(query.tokens)]
    const selected = this.#readPostings(distinct.map(termOf), selections, stop)
    const places = new Map(distinct.map((token, index) => [token, index]))
    const order = query.tokens.map((token) => places.get(token)!)
    const repeats = distinct.map(() => 0)
    for (const term of order) repeats[term]!++
    const idf = frequencies(selected, distinct.length).map((frequency) => bm25lIdf(chunks, frequency))
    const limit = Math.min(query.limit, chunks)
    const weighted = { limit, averageLength: tokens / chunks, idf, repeats, order }
    const scored = this.#candidates(selected, weighted, stop).map((candidate) => ({
      slots: candidate.slots,
      slot: candidate.slot,
      score: exactScore(candidate, weighted)
    }))
    return this.#ranking.rank(scored, query.limit)
  }

  #readPostings(terms: readonly Term[], selections: readonly Selection[], stop: StopCheck): SelectedPostings[] {
    return selections.map((selection) => {
      const pages = new Map<number, PageTerms>()
      for (const [index, term] of terms.entries()) {
        stop()
        for (const found of this.#postings.read(selection.kb.id, term, selection.readPages)) {
          if (!selection.pages.has(found.page)) continue
          let page = pages.get(found.page)
          if (page === undefined) pages.set(found.page, (page = new Map()))
          const runs = page.get(index)
          if (runs === undefined) page.set(index, [found])
          else runs.push(found)
        }
      }
      return { selection, pages }
    })
  }

  #candidates(selected: readonly SelectedPostings[], query: WeightedQuery, stop: StopCheck): Candidate[] {
    const top = new TopCandidates<Candidate>(query.limit)
    this.#scorer.start(query.averageLength, countPostings(selected))
    for (const { selection, pages } of selected) {
      for (const [page, found] of pages) {
        stop()
        const slots = selection.pages.get(page)!
        for (const [term, runs] of found) {
          const weight = query.idf[term]! * query.repeats[term]!
          for (const run of runs) this.#scorer.add(run, slots.lengths, weight)
        }
        this.#collect({ found, slots, mask: selection.masks?.get(page) }, top)
      }
    }
    return top.remaining().map((entry) => entry.item)
  }

  /** Takes the page's sums, and leaves them at 0 for the next page. */
  #collect(page: ScoredPage, top: TopCandidates<Candidate>): void {
    const { found, slots, mask } = page
    const { sums } = this.#scorer
    let threshold = top.threshold
    for (let slot = 0; slot < slots.used; slot++) {
      const sum = sums[slot]!
      if (sum === 0) continue
      sums[slot] = 0
      if (sum * (1 + SLACK) < threshold || (mask === undefined ? slots.lengths[slot] === 0 : mask[slot] === 0)) continue
      top.add({ found, slots, slot }, sum * (1 - SLACK), sum * (1 + SLACK))
      threshold = top.threshold
    }
  }
}

interface ScoredPage {
  readonly found: PageTerms
  readonly slots: PageSlots
  readonly mask: Uint8Array | undefined
}

/** Chunks in scope that have each term. */
function frequencies(selected: readonly SelectedPostings[], terms: number): number[] {
  const counts = Array.from({ length: terms }, () => 0)
  for (const { selection, pages } of selected) {
    for (const page of pages.values()) {
      for (const [term, runs] of page) for (const run of runs) counts[term]! += countInScope(run, selection)
    }
  }
  return counts
}

function countPostings(selected: readonly SelectedPostings[]): number {
  let count = 0
  for (const { pages } of selected) {
    for (const page of pages.values()) for (const runs of page.values()) for (const run of runs) count += run.count
  }
  return count
}

/** The formula, term by term in the query's order, repeats added one by one: bit for bit what brute force adds up. */
function exactScore(candidate: Candidate, query: WeightedQuery): number {
  const { found, slots, slot } = candidate
  const length = slots.lengths[slot]! - 1
  const termScores = query.idf.map((idf, term) => {
    let frequency = 0
    for (const run of found.get(term) ?? []) frequency += frequencyAt(run, slot)
    return idf * bm25lTermScore(frequency, length, query.averageLength)
  })
  return query.order.reduce((sum, term) => sum + termScores[term]!, 0)
}
