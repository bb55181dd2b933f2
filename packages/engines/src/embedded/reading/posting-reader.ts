import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { bucketPageRange, bucketRange, bucketsOf } from '../storage/keys.ts'
import type { BucketPlace, Granularity, KeyRange } from '../storage/keys.ts'
import { findTerm, pageOfRow } from '../postings/posting-row.ts'
import type { TermPostings } from '../postings/posting-words.ts'
import type { Term } from '../postings/term.ts'

/** Postings of one term in one run of slots of a page. A page may give several, over disjoint ranges of slots. */
export interface PagePostings extends TermPostings {
  readonly page: number
}

/** Reads postings of a term, of whole knowledge bases or of single pages. */
export class PostingReader {
  readonly #ranges: StatementSync

  constructor(database: DatabaseSync) {
    // Both granularities in one call: a call costs as much as the empty range that one of them mostly is.
    this.#ranges = database.prepare(
      `SELECT data FROM posting WHERE key BETWEEN ? AND ?
       UNION ALL SELECT data FROM posting WHERE key BETWEEN ? AND ?`
    )
    this.#ranges.setReturnArrays(true)
  }

  /** @param pages only these; absent means all pages of the knowledge base */
  read(kb: number, term: Term, pages?: Iterable<number>): PagePostings[] {
    const found: PagePostings[] = []
    const coarse = placeOf(kb, 'coarse', term)
    const fine = placeOf(kb, 'fine', term)
    if (pages === undefined) this.#collect(bucketRange(coarse), bucketRange(fine), term, found)
    for (const page of pages ?? []) {
      this.#collect(bucketPageRange(coarse, page), bucketPageRange(fine, page), term, found)
    }
    return found
  }

  #collect(coarse: KeyRange, fine: KeyRange, term: Term, found: PagePostings[]): void {
    for (const columns of this.#ranges.all(coarse.from, coarse.to, fine.from, fine.to)) {
      const row = (columns as unknown as [Uint8Array])[0]
      const postings = findTerm(row, term)
      // A copy, so that a query of many terms does not hold all the rows that it found them in.
      if (postings !== undefined) {
        found.push({ page: pageOfRow(row), count: postings.count, words: postings.words.slice() })
      }
    }
  }
}

function placeOf(kb: number, granularity: Granularity, term: Term): BucketPlace {
  return { kb, granularity, bucket: term.hash & (bucketsOf(granularity) - 1) }
}
