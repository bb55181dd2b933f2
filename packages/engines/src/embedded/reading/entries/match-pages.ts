import type { BothFields, ClauseMatch } from '@oncall-agent/retrieval'
import type { PageSlots } from '../../storage/page-slots.ts'
import type { StopCheck } from '../read-transaction.ts'
import { ClauseScorer } from './clause-scorer.ts'
import type { ClauseReader } from './clause-terms.ts'
import type { EntryScopes, EntrySelection, FieldTotals } from './entry-scope.ts'

/** Slots of one page that match, in order. */
export interface MatchedPage {
  readonly selection: EntrySelection
  readonly slots: PageSlots
  /** The first `count` are slots; overwritten by the next page. */
  readonly matched: Uint16Array
  readonly count: number
  /** BM25 part by slot; overwritten by the next page. */
  readonly scores: Float64Array
}

/** Finds which entries match some clauses, page by page. */
export class PageMatcher {
  readonly #scopes: EntryScopes
  readonly #clauses: ClauseReader
  readonly #scorer = new ClauseScorer()
  readonly #matched = new Uint16Array(this.#scorer.scores.length)

  constructor(scopes: EntryScopes, clauses: ClauseReader) {
    this.#scopes = scopes
    this.#clauses = clauses
  }

  *match(
    request: ClauseMatch & { readonly titleBoost: number },
    selections: readonly EntrySelection[],
    stop: StopCheck
  ): Generator<MatchedPage> {
    const { mode, titleBoost } = request
    const totals = this.#scopes.totals(selections)
    const clauses = this.#clauses.read(request.clauses, { selections, totals }, stop)
    const averageLengths = { title: averageOf(totals, 'title'), body: averageOf(totals, 'body') }
    const scoring = { mode, clauses, titleBoost, averageLengths }
    for (const [at, selection] of selections.entries()) {
      const { pages, masks } = selection.selected
      for (const [page, slots] of pages) {
        stop()
        this.#scorer.score({ at, slots }, scoring)
        const live = masks?.get(page) ?? slots.lengths
        let count = 0
        for (let slot = 0; slot < slots.used; slot++) {
          if (live[slot] !== 0 && this.#scorer.isMatch(slot, scoring)) this.#matched[count++] = slot
        }
        yield { selection, slots, matched: this.#matched, count, scores: this.#scorer.scores }
      }
    }
  }
}

function averageOf(totals: BothFields<FieldTotals>, field: keyof BothFields<FieldTotals>): number {
  const { documents, tokens } = totals[field]
  return documents === 0 ? 0 : tokens / documents
}
