import type { FacetField, StructuredEntry } from '@oncall-agent/retrieval'
import { columnTerm } from '../postings/entry-terms.ts'
import type { RowTerm } from '../postings/posting-row.ts'
import type { SlotSpace } from '../storage/slot-space.ts'
import type { EntryRows } from './entry-rows.ts'
import { KnowledgeBaseEditor } from './knowledge-base-editor.ts'
import type { SlotStore } from './knowledge-base-editor.ts'
import { facetValue } from './prepare-entries.ts'
import type { PreparedEntries } from './prepare-entries.ts'
import type { SlotBatch } from './slot-batch.ts'

const FACETS: readonly FacetField[] = ['project', 'equipment', 'errorCodes']

/** Writes entries inside the transaction that writes their documents. Each is one slot of its knowledge base's space. */
export class EntryStore {
  readonly #slots: SlotStore
  readonly #rows: EntryRows

  constructor(slots: SlotStore, rows: EntryRows) {
    this.#slots = slots
    this.#rows = rows
  }

  replace(kb: SlotSpace, prepared: PreparedEntries, generation: number): void {
    const editor = new KnowledgeBaseEditor(this.#slots, this.#rows.makeSpace(kb.id))
    for (const { documentId } of prepared.entries) {
      const before = this.#rows.find(kb.id, documentId)
      if (before !== undefined) editor.killDocument(before)
    }
    editor.append(this.#put(kb, prepared))
    editor.flush(generation)
  }

  /** True when it was there. */
  delete(kb: SlotSpace, documentId: string, generation: number): boolean {
    const row = this.#rows.find(kb.id, documentId)
    const space = this.#rows.spaces.ofKnowledgeBase(kb.id)
    if (row === undefined || space === undefined) return false
    const editor = new KnowledgeBaseEditor(this.#slots, space)
    editor.killDocument(row)
    editor.flush(generation)
    this.#rows.delete(row)
    return true
  }

  /** All entries of a knowledge base give way to these, in the order given. */
  refill(kb: SlotSpace, batches: Iterable<PreparedEntries>, generation: number): void {
    const editor = new KnowledgeBaseEditor(this.#slots, this.#rows.makeSpace(kb.id))
    editor.killAll()
    this.#rows.deleteAll(kb.id)
    for (const prepared of batches) editor.append(this.#put(kb, prepared))
    editor.flush(generation)
  }

  #put(kb: SlotSpace, prepared: PreparedEntries): SlotBatch {
    const { entries, bodyLengths, titleLengths, terms, quantised } = prepared
    return {
      count: entries.length,
      lengths: bodyLengths,
      documents: Uint32Array.from(entries, (entry) => this.#rows.put(kb.id, entry)),
      sequences: titleLengths,
      terms: [...terms, ...this.#columns(entries)],
      quantised
    }
  }

  #columns(entries: readonly StructuredEntry[]): RowTerm[] {
    return FACETS.flatMap((field) => {
      const flat = entries.flatMap((entry, position) => {
        const value = facetValue(entry, field)
        return value === undefined ? [] : [position, this.#rows.numberOf(value)]
      })
      return flat.length === 0 ? [] : [{ ...columnTerm(field), flat }]
    })
  }
}
