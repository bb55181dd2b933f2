import { bm25Idf } from '@oncall-agent/retrieval'
import type { BothFields, KeywordClause } from '@oncall-agent/retrieval'
import { bodyTerm, titleTerm } from '../../postings/entry-terms.ts'
import type { PagePostings, PostingReader } from '../posting-reader.ts'
import type { StopCheck } from '../read-transaction.ts'
import { countInScope } from '../statistics.ts'
import type { EntrySelection, FieldTotals } from './entry-scope.ts'

/** A token in a field: its postings by space and page, and its weight in the scope. */
export interface FieldTerm {
  readonly idf: number
  /** By position of the selection, then by page. */
  readonly postings: readonly ReadonlyMap<number, readonly PagePostings[]>[]
}

/** A keyword, read from the index. */
export interface ReadClause {
  readonly minimum: number
  /** In the keyword's order, in which scores are added. */
  readonly terms: BothFields<readonly FieldTerm[]>
}

/** Reads the postings of all clauses, each token of a field once, and weighs them by the scope's own statistics. */
export class ClauseReader {
  readonly #postings: PostingReader

  constructor(postings: PostingReader) {
    this.#postings = postings
  }

  read(
    clauses: readonly KeywordClause[],
    scope: { readonly selections: readonly EntrySelection[]; readonly totals: BothFields<FieldTotals> },
    stop: StopCheck
  ): ReadClause[] {
    const { selections, totals } = scope
    const known = { title: new Map<string, FieldTerm>(), body: new Map<string, FieldTerm>() }
    const termOf = { title: titleTerm, body: bodyTerm }
    const read = (field: keyof BothFields<unknown>, token: string): FieldTerm => {
      const before = known[field].get(token)
      if (before !== undefined) return before
      stop()
      const term = termOf[field](token)
      const postings = selections.map(({ space }) => byPage(this.#postings.read(space.id, term)))
      const found = { idf: bm25Idf(totals[field].documents, frequencyOf(postings, selections)), postings }
      known[field].set(token, found)
      return found
    }
    return clauses.map(({ tokens, minimum }) => ({
      minimum,
      terms: {
        title: tokens.map((token) => read('title', token)),
        body: tokens.map((token) => read('body', token))
      }
    }))
  }
}

function byPage(postings: readonly PagePostings[]): Map<number, PagePostings[]> {
  const pages = new Map<number, PagePostings[]>()
  for (const found of postings) {
    const runs = pages.get(found.page)
    if (runs === undefined) pages.set(found.page, [found])
    else runs.push(found)
  }
  return pages
}

/** Live entries of the scope that have the token in the field, whatever the filters. */
function frequencyOf(postings: FieldTerm['postings'], selections: readonly EntrySelection[]): number {
  let count = 0
  for (const [at, { whole }] of selections.entries()) {
    for (const runs of postings[at]!.values()) for (const run of runs) count += countInScope(run, whole)
  }
  return count
}
