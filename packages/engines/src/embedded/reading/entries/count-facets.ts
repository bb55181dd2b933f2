import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { compareCodePoints } from '@oncall-agent/retrieval'
import type { Facet, FacetField, FacetRequest, StructuredFacets } from '@oncall-agent/retrieval'
import { columnTerm } from '../../postings/entry-terms.ts'
import { visitPostings } from '../../postings/posting-words.ts'
import type { PagePostings, PostingReader } from '../posting-reader.ts'
import type { StopCheck } from '../read-transaction.ts'
import type { EntryScopes, EntrySelection } from './entry-scope.ts'
import type { MatchedPage, PageMatcher } from './match-pages.ts'

/** Entries that match, by the number of their value. */
type Counts = Map<number, number>

/** Counts values of matching entries from their numbers in the postings; the values themselves are read once each. */
export class FacetCounter {
  readonly #scopes: EntryScopes
  readonly #matcher: PageMatcher
  readonly #postings: PostingReader
  readonly #value: StatementSync

  constructor(database: DatabaseSync, parts: { scopes: EntryScopes; matcher: PageMatcher; postings: PostingReader }) {
    this.#scopes = parts.scopes
    this.#matcher = parts.matcher
    this.#postings = parts.postings
    this.#value = database.prepare('SELECT value FROM entry_value WHERE id = ?')
  }

  count(request: FacetRequest, stop: StopCheck): StructuredFacets {
    const selections = this.#scopes.select(request)
    const fields = [...new Set(request.fields)]
    const counts = new Map(fields.map((field): [FacetField, Counts] => [field, new Map()]))
    const columns = new Map<EntrySelection, Map<FacetField, PagePostings[]>>()
    // Boosts move scores only.
    for (const page of this.#matcher.match({ ...request, titleBoost: 1 }, selections, stop)) {
      if (page.count === 0) continue
      let read = columns.get(page.selection)
      if (read === undefined) columns.set(page.selection, (read = this.#read(page.selection, fields)))
      for (const field of fields) countPage(page, read.get(field)!, counts.get(field)!)
    }
    return Object.fromEntries(fields.map((field) => [field, this.#facetOf(counts.get(field)!, request.buckets)]))
  }

  #read({ space }: EntrySelection, fields: readonly FacetField[]): Map<FacetField, PagePostings[]> {
    return new Map(fields.map((field) => [field, this.#postings.read(space.id, columnTerm(field))]))
  }

  #facetOf(counts: Counts, buckets: number): Facet {
    const byValue = new Map<string, number>()
    for (const [number, count] of counts) {
      const found = JSON.parse(String(this.#value.get(number)?.value)) as string | string[]
      for (const value of typeof found === 'string' ? [found] : found) {
        byValue.set(value, (byValue.get(value) ?? 0) + count)
      }
    }
    const all = Array.from(byValue, ([value, count]) => ({ value, count }))
    const sorted = all.toSorted((left, right) => right.count - left.count || compareCodePoints(left.value, right.value))
    const truncated = sorted.slice(buckets).reduce((sum, { count }) => sum + count, 0)
    return { buckets: sorted.slice(0, buckets), truncated }
  }
}

function countPage({ slots, matched, count }: MatchedPage, column: readonly PagePostings[], counts: Counts): void {
  const isMatched = new Uint8Array(slots.used)
  for (let index = 0; index < count; index++) isMatched[matched[index]!] = 1
  for (const run of column) {
    if (run.page !== slots.page) continue
    visitPostings(run, (slot, number) => {
      if (isMatched[slot] === 1) counts.set(number, (counts.get(number) ?? 0) + 1)
    })
  }
}
