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
    const frequency = terms.map((text) => {
      stop()
      const term = termOf(text)
      return selections.reduce((sum, selection) => sum + this.#frequency(selection, term), 0)
    })
    return { chunks, averageLength: chunks === 0 ? 0 : tokens / chunks, frequency }
  }

  /** Under a filter nothing is remembered: the next one is likely another. */
  #frequency(selection: Selection, term: Term): number {
    if (selection.masks !== undefined) {
      const postings = this.#postings.read(selection.kb.id, term, selection.readPages)
      return postings.reduce((sum, found) => sum + countInScope(found, selection), 0)
    }
    let sum = 0
    const missing: number[] = []
    for (const [page, slots] of selection.pages) {
      const known = this.#page(selection.kb.id, slots).frequencies.get(term.key)
      if (known === undefined) missing.push(page)
      else sum += known
    }
    return missing.length === 0 ? sum : sum + this.#read(selection, term, missing)
  }

  /** Reads and remembers the frequencies of a term in some pages. */
  #read(selection: Selection, term: Term, pages: readonly number[]): number {
    const few = pages.length * 2 < selection.pages.size
    const counts = new Map(pages.map((page) => [page, 0]))
    for (const found of this.#postings.read(selection.kb.id, term, few ? pages : undefined)) {
      const before = counts.get(found.page)
      if (before !== undefined) counts.set(found.page, before + countInScope(found, selection))
    }
    let sum = 0
    for (const [page, count] of counts) {
      this.#page(selection.kb.id, selection.pages.get(page)!).frequencies.set(term.key, count)
      sum += count
    }
    this.#remembered += pages.length
    if (this.#remembered > MAX_REMEMBERED) this.#forget()
    return sum
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
