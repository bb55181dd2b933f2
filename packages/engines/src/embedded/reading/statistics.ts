import type { Scope, TermStatistics } from '@oncall-agent/retrieval'
import { SLOT_MASK } from '../postings/posting-words.ts'
import { termOf } from '../postings/term.ts'
import type { Term } from '../postings/term.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import type { PagePostings, PostingReader } from './posting-reader.ts'
import type { StopCheck } from './read-transaction.ts'
import type { ScopeReader, Selection } from './selection.ts'

/** Frequencies kept for pages; about 20 MB a worker at most, then all are dropped. */
const MAX_REMEMBERED = 200_000

interface RememberedPage {
  readonly generation: number
  readonly frequencies: Map<string, number>
}

type RememberedPages = ReadonlyMap<number, RememberedPage>

/** How many of some postings are in scope. */
export function countInScope(postings: PagePostings, selection: Selection): number {
  const slots = selection.pages.get(postings.page)
  if (slots === undefined) return 0
  const mask = selection.masks?.get(postings.page)
  if (mask === undefined && slots.dead === 0) return postings.count
  let count = 0
  for (let index = 0; index < postings.count; index++) {
    const slot = postings.words[index]! & SLOT_MASK
    if (mask === undefined ? slots.lengths[slot] !== 0 : mask[slot] === 1) count++
  }
  return count
}

/**
 * Exact statistics of terms in a scope. Without filters a frequency is the sum over pages, and a page's is remembered
 * until the page changes: the next query with the same words reads nothing, and a write spoils only the pages it touched.
 */
export class StatisticsReader {
  readonly #scopes: ScopeReader
  readonly #postings: PostingReader
  readonly #pages = new Map<string, RememberedPage>()
  #remembered = 0

  constructor(scopes: ScopeReader, postings: PostingReader) {
    this.#scopes = scopes
    this.#postings = postings
  }

  read(terms: readonly string[], scope: Scope, stop: StopCheck): TermStatistics {
    const selections = this.#scopes.select(scope)
    const chunks = selections.reduce((sum, selection) => sum + selection.chunks, 0)
    const tokens = selections.reduce((sum, selection) => sum + selection.tokens, 0)
    const remembered = selections.map((selection) => this.#remember(selection))
    const frequency = terms.map((text) => {
      stop()
      const term = termOf(text)
      return selections.reduce((sum, selection, at) => sum + this.#frequency(selection, term, remembered[at]!), 0)
    })
    if (this.#remembered > MAX_REMEMBERED) this.#forget()
    return { chunks, averageLength: chunks === 0 ? 0 : tokens / chunks, frequency }
  }

  /** Under a filter nothing is remembered: the next one is likely another. */
  #frequency(selection: Selection, term: Term, remembered: RememberedPages): number {
    if (selection.masks !== undefined) {
      const postings = this.#postings.read(selection.kb.id, term, selection.readPages)
      return postings.reduce((sum, found) => sum + countInScope(found, selection), 0)
    }
    let sum = 0
    const missing: number[] = []
    for (const [page, { frequencies }] of remembered) {
      const known = frequencies.get(term.key)
      if (known === undefined) missing.push(page)
      else sum += known
    }
    if (missing.length === 0) return sum
    for (const [page, count] of this.#read(selection, term, missing)) {
      remembered.get(page)!.frequencies.set(term.key, count)
      this.#remembered++
      sum += count
    }
    return sum
  }

  /** The frequencies of a term in some pages. */
  #read(selection: Selection, term: Term, pages: readonly number[]): Map<number, number> {
    const few = pages.length * 2 < selection.pages.size
    const counts = new Map(pages.map((page) => [page, 0]))
    for (const found of this.#postings.read(selection.kb.id, term, few ? pages : undefined)) {
      const before = counts.get(found.page)
      if (before !== undefined) counts.set(found.page, before + countInScope(found, selection))
    }
    return counts
  }

  /** What is remembered of the pages of a selection, looked up once for all terms; nothing under a filter. */
  #remember({ kb, pages, masks }: Selection): RememberedPages {
    if (masks !== undefined) return new Map()
    return new Map([...pages].map(([page, slots]) => [page, this.#page(kb.id, slots)]))
  }

  /** What is remembered of a page as it is now; what was known of an older state is dropped. */
  #page(kb: number, slots: PageSlots): RememberedPage {
    const key = `${kb}/${slots.page}`
    const known = this.#pages.get(key)
    if (known?.generation === slots.generation) return known
    this.#remembered -= known?.frequencies.size ?? 0
    const fresh = { generation: slots.generation, frequencies: new Map<string, number>() }
    this.#pages.set(key, fresh)
    return fresh
  }

  #forget(): void {
    this.#pages.clear()
    this.#remembered = 0
  }
}
