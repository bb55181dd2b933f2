import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { bucketPageRange, bucketRange, bucketsOf } from '../storage/keys.ts'
import type { Granularity, KeyRange } from '../storage/keys.ts'
import { findTerm, pageOfRow } from '../postings/posting-row.ts'
import type { TermPostings } from '../postings/posting-words.ts'
import type { Term } from '../postings/term.ts'

const GRANULARITIES: readonly Granularity[] = ['coarse', 'fine']

/** Postings of one term in one run of slots of a page. A page may give several, over disjoint ranges of slots. */
export interface PagePostings extends TermPostings {
  readonly page: number
}

/** Reads postings of a term, of whole knowledge bases or of single pages. */
export class PostingReader {
  readonly #range: StatementSync

  constructor(database: DatabaseSync) {
    this.#range = database.prepare('SELECT data FROM posting WHERE key BETWEEN ? AND ?')
    this.#range.setReturnArrays(true)
  }

  /** @param pages only these; absent means all pages of the knowledge base */
  read(kb: number, term: Term, pages?: Iterable<number>): PagePostings[] {
    const found: PagePostings[] = []
    for (const granularity of GRANULARITIES) {
      const place = { kb, granularity, bucket: term.hash & (bucketsOf(granularity) - 1) }
      if (pages === undefined) this.#collect(bucketRange(place), term, found)
      else for (const page of pages) this.#collect(bucketPageRange(place, page), term, found)
    }
    return found
  }

  #collect(range: KeyRange, term: Term, found: PagePostings[]): void {
    for (const columns of this.#range.all(range.from, range.to)) {
      const row = (columns as unknown as [Uint8Array])[0]
      const postings = findTerm(row, term)
      // A copy, so that a query of many terms does not hold all the rows that it found them in.
      if (postings !== undefined) {
        found.push({ page: pageOfRow(row), count: postings.count, words: postings.words.slice() })
      }
    }
  }
}
