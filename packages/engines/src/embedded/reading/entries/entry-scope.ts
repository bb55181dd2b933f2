import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { BothFields, FieldStatistics, ReadablePair, StructuredSelection } from '@oncall-agent/retrieval'
import { columnTerm, filterTermTexts } from '../../postings/entry-terms.ts'
import { termOf } from '../../postings/term.ts'
import type { Term } from '../../postings/term.ts'
import { entrySpaceReader } from '../../storage/entry-space-rows.ts'
import type { EntrySpace, EntrySpaceReader } from '../../storage/entry-space-rows.ts'
import { knowledgeBaseReader } from '../../storage/knowledge-base-rows.ts'
import type { KnowledgeBaseReader } from '../../storage/knowledge-base-rows.ts'
import type { SlotDirectory } from '../../storage/slot-directory.ts'
import { applyMetadata, countMasked, maskOfLive, takeOut } from '../masks.ts'
import type { Masks } from '../masks.ts'
import type { PostingReader } from '../posting-reader.ts'
import type { Selection } from '../selection.ts'

/** What a selection comes to in one knowledge base. */
export interface EntrySelection {
  readonly pair: ReadablePair
  readonly space: EntrySpace
  /** Every live entry: what the statistics are of. */
  readonly whole: Selection
  /** Those that the filters let through: what may match. */
  readonly selected: Selection
}

/** Entries with a token in the field, and tokens of them all. */
export type FieldTotals = Pick<FieldStatistics, 'documents'> & { readonly tokens: number }

/** Resolves scopes and filters to slots of entries, inside a read transaction. */
export class EntryScopes {
  readonly #knowledgeBases: KnowledgeBaseReader
  readonly #spaces: EntrySpaceReader
  readonly #directory: SlotDirectory
  readonly #postings: PostingReader
  readonly #entries: StatementSync
  /** Totals by space, of one generation each. */
  readonly #totals = new Map<number, { readonly generation: number; readonly fields: BothFields<FieldTotals> }>()

  constructor(database: DatabaseSync, directory: SlotDirectory, postings: PostingReader) {
    this.#knowledgeBases = knowledgeBaseReader(database)
    this.#spaces = entrySpaceReader(database)
    this.#directory = directory
    this.#postings = postings
    this.#entries = database.prepare('SELECT id, kb FROM entry WHERE document_id = ?')
  }

  /** The knowledge bases of a scope that have entries, each once. */
  select(selection: StructuredSelection): EntrySelection[] {
    return this.#inScope(selection, [])
  }

  /** As above, and only what has a vector. */
  selectWithVector(selection: StructuredSelection): EntrySelection[] {
    return this.#inScope(selection, [[columnTerm('vector')]])
  }

  /** Over all live entries of the scope, whatever the filters; knowledge bases add up. */
  totals(selections: readonly EntrySelection[]): BothFields<FieldTotals> {
    const all = selections.map((selection) => this.#totalsOf(selection.whole))
    const sum = (field: keyof BothFields<FieldTotals>): FieldTotals => ({
      documents: all.reduce((documents, fields) => documents + fields[field].documents, 0),
      tokens: all.reduce((tokens, fields) => tokens + fields[field].tokens, 0)
    })
    return { title: sum('title'), body: sum('body') }
  }

  #inScope(
    { pairs, filters, without = [] }: StructuredSelection,
    beside: readonly (readonly Term[])[]
  ): EntrySelection[] {
    const wanted = [...filterTermTexts(filters).map((texts) => texts.map(termOf)), ...beside]
    const excluded = this.#rowsOf(without)
    const found = new Map<number, EntrySelection>()
    for (const pair of pairs) {
      const kb = this.#knowledgeBases.find(pair)
      const space = kb === undefined ? undefined : this.#spaces.ofKnowledgeBase(kb.id)
      if (space === undefined || space.chunks === 0 || found.has(space.id)) continue
      const whole = this.#whole(space)
      const out = excluded.get(kb!.id)
      const selected = wanted.length === 0 && out === undefined ? whole : this.#filtered(whole, wanted, out)
      found.set(space.id, { pair, space, whole, selected })
    }
    return [...found.values()]
  }

  #whole(space: EntrySpace): Selection {
    const existing = this.#directory.read(space).pages
    const pages = new Map([...existing].filter(([, slots]) => slots.dead < slots.used))
    return { kb: space, pages, existing, chunks: space.chunks, tokens: space.tokens }
  }

  /** Numbers of the entries of some documents, by knowledge base. */
  #rowsOf(documentIds: readonly string[]): ReadonlyMap<number, ReadonlySet<number>> {
    const rows = new Map<number, Set<number>>()
    for (const { id, kb } of documentIds.flatMap((documentId) => this.#entries.all(documentId))) {
      const own = rows.get(Number(kb))
      if (own === undefined) rows.set(Number(kb), new Set([Number(id)]))
      else own.add(Number(id))
    }
    return rows
  }

  /** An entry must have one term of each list, and is none of those that are out. */
  #filtered(whole: Selection, wanted: readonly (readonly Term[])[], out: ReadonlySet<number> | undefined): Selection {
    const masks: Masks = new Map()
    for (const [page, slots] of whole.pages) {
      const mask = maskOfLive(slots)
      if (mask !== undefined) masks.set(page, mask)
    }
    for (const terms of wanted) {
      applyMetadata(
        masks,
        terms.flatMap((term) => this.#postings.read(whole.kb.id, term))
      )
    }
    if (out !== undefined) takeOut(masks, out, whole.pages)
    const pages = new Map([...masks.keys()].map((page) => [page, whole.pages.get(page)!]))
    return { ...whole, pages, masks, ...countMasked(masks, pages) }
  }

  #totalsOf({ kb, pages }: Selection): BothFields<FieldTotals> {
    const known = this.#totals.get(kb.id)
    if (known?.generation === kb.generation) return known.fields
    const title = { documents: 0, tokens: 0 }
    const body = { documents: 0, tokens: 0 }
    for (const { used, lengths, sequences } of pages.values()) {
      for (let slot = 0; slot < used; slot++) {
        if (lengths[slot] === 0) continue
        add(body, lengths[slot]! - 1)
        add(title, sequences[slot]!)
      }
    }
    const fields = { title, body }
    this.#totals.set(kb.id, { generation: kb.generation, fields })
    return fields
  }
}

function add(totals: { documents: number; tokens: number }, tokens: number): void {
  if (tokens > 0) totals.documents++
  totals.tokens += tokens
}
