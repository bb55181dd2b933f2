import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Scope } from '@oncall-agent/retrieval'
import { metadataTerm, termOf } from '../postings/term.ts'
import { knowledgeBaseReader } from '../storage/knowledge-base-rows.ts'
import type { KnowledgeBaseReader } from '../storage/knowledge-base-rows.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import type { SlotSpace } from '../storage/slot-space.ts'
import type { SlotDirectory } from '../storage/slot-directory.ts'
import { applyMetadata, countMasked, maskOfDocuments, maskOfLive } from './masks.ts'
import type { Masks } from './masks.ts'
import type { PostingReader } from './posting-reader.ts'

/** What a scope comes to in one knowledge base. */
export interface Selection {
  readonly kb: SlotSpace
  /** Pages with at least one chunk in scope. */
  readonly pages: ReadonlyMap<number, PageSlots>
  /** All pages that there are. */
  readonly existing: ReadonlyMap<number, PageSlots>
  /** Absent without document and metadata filter: then every live slot is in scope. */
  readonly masks?: Masks
  /** The pages to read postings of; absent where reading the whole range is cheaper. */
  readonly readPages?: readonly number[]
  /** Chunks and tokens in scope. */
  readonly chunks: number
  readonly tokens: number
}

/** Resolves scopes to slots, inside a read transaction. */
export class ScopeReader {
  readonly #knowledgeBases: KnowledgeBaseReader
  readonly #documents: StatementSync
  readonly #directory: SlotDirectory
  readonly #postings: PostingReader

  constructor(database: DatabaseSync, directory: SlotDirectory, postings: PostingReader) {
    this.#knowledgeBases = knowledgeBaseReader(database)
    this.#documents = database.prepare('SELECT id FROM document WHERE document_id = ?')
    this.#directory = directory
    this.#postings = postings
  }

  /** The knowledge bases of a scope that exist, each once. */
  knowledgeBases(scope: Scope): SlotSpace[] {
    const found = new Map<number, SlotSpace>()
    for (const pair of scope.pairs) {
      const row = this.#knowledgeBases.find(pair)
      if (row !== undefined) found.set(row.id, row)
    }
    return [...found.values()]
  }

  /** Everything in the index, for loading it ahead of the first search. */
  everything(): Selection[] {
    return this.#knowledgeBases.all().map((kb) => this.#whole(kb))
  }

  /** The knowledge bases that have a chunk in scope. */
  select(scope: Scope): Selection[] {
    const rows = this.knowledgeBases(scope)
    const filtered = scope.documentIds !== undefined || Object.keys(scope.metadata ?? {}).length > 0
    const documents = scope.documentIds === undefined ? undefined : this.#documentRows(scope.documentIds)
    const selections = rows.map((kb) => (filtered ? this.#filtered(kb, scope, documents) : this.#whole(kb)))
    return selections.filter((selection) => selection.chunks > 0)
  }

  #whole(kb: SlotSpace): Selection {
    const existing = this.#directory.read(kb).pages
    const pages = new Map([...existing].filter(([, slots]) => slots.dead < slots.used))
    return { kb, pages, existing, chunks: kb.chunks, tokens: kb.tokens }
  }

  #filtered(kb: SlotSpace, scope: Scope, documents: ReadonlySet<number> | undefined): Selection {
    const all = this.#directory.read(kb).pages
    const masks: Masks = new Map()
    for (const [page, slots] of all) {
      const mask = documents === undefined ? maskOfLive(slots) : maskOfDocuments(slots, documents)
      if (mask !== undefined) masks.set(page, mask)
    }
    for (const [name, value] of Object.entries(scope.metadata ?? {})) {
      const pages = pagesWorthNaming(masks.size, all.size) ? [...masks.keys()] : undefined
      applyMetadata(masks, this.#postings.read(kb.id, termOf(metadataTerm(name, value)), pages))
    }
    const pages = new Map([...masks.keys()].map((page) => [page, all.get(page)!]))
    const selection = { kb, pages, existing: all, masks, ...countMasked(masks, pages) }
    return pagesWorthNaming(masks.size, all.size) ? { ...selection, readPages: [...masks.keys()] } : selection
  }

  #documentRows(documentIds: readonly string[]): ReadonlySet<number> {
    const rows = new Set<number>()
    // Rows of other knowledge bases do no harm: masks look at the slots of one knowledge base only.
    for (const id of documentIds) for (const row of this.#documents.all(id)) rows.add(Number(row.id))
    return rows
  }
}

/** Seeking single pages pays off against reading the range when they are less than half of it. */
function pagesWorthNaming(pages: number, all: number): boolean {
  return pages * 2 < all
}
