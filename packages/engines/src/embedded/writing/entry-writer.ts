import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ReadablePair, StructuredEntry } from '@oncall-agent/retrieval'
import type { DocumentStore } from './document-store.ts'
import { FINE_FROM } from './page-work.ts'
import { prepareEntries } from './prepare-entries.ts'
import type { PreparedEntries } from './prepare-entries.ts'

/** Writes entries without their documents, each call in one transaction. */
export class EntryWriter {
  readonly #store: DocumentStore
  readonly #setFilled: StatementSync
  readonly #knowledgeBases: StatementSync

  constructor(database: DatabaseSync, store: DocumentStore) {
    this.#store = store
    this.#setFilled = database.prepare('UPDATE state SET entries_filled = 1 WHERE id = 1')
    this.#knowledgeBases = database.prepare(
      `SELECT tenant_id AS tenantId, knowledge_base_id AS knowledgeBaseId FROM knowledge_base
       WHERE id IN (SELECT kb FROM entry_space)`
    )
  }

  replace(entry: StructuredEntry): void {
    const prepared = prepareEntries([entry], this.#store.dimension)
    this.#store.transaction(attempt('replace entry', entry.documentId), 'document', (generation) => {
      this.#store.entries.replace(this.#store.rows.makeKnowledgeBase(entry), prepared, generation)
      return true
    })
  }

  /** True when it was there. */
  delete(pair: ReadablePair, documentId: string): boolean {
    return this.#store.transaction(attempt('delete entry', documentId), 'document', (generation) => {
      const kb = this.#store.rows.findKnowledgeBase(pair)
      return kb !== undefined && this.#store.entries.delete(kb, documentId, generation)
    })
  }

  /** Everything that was there gives way to these; of several with one key the last counts. */
  rebuild(entries: readonly StructuredEntry[]): void {
    const groups = new Map<string, Map<string, StructuredEntry>>()
    for (const entry of entries) {
      const name = nameOf(entry)
      if (!groups.has(name)) groups.set(name, new Map())
      groups.get(name)!.set(entry.documentId, entry)
    }
    this.#store.transaction(attempt('rebuild entries', 'all'), 'document', (generation) => {
      for (const pair of this.#knowledgeBases.all() as unknown as ReadablePair[]) {
        if (groups.has(nameOf(pair))) continue
        this.#store.entries.refill(this.#store.rows.findKnowledgeBase(pair)!, [], generation)
      }
      for (const group of groups.values()) {
        const own = [...group.values()]
        this.#store.entries.refill(this.#store.rows.makeKnowledgeBase(own[0]!), this.#batches(own), generation)
      }
      this.#setFilled.run()
      return true
    })
  }

  /** Written as fine runs at once, and prepared one at a time: together they would take ten times the room of the entries. */
  *#batches(entries: readonly StructuredEntry[]): Generator<PreparedEntries> {
    for (let from = 0; from < entries.length; from += FINE_FROM) {
      yield prepareEntries(entries.slice(from, from + FINE_FROM), this.#store.dimension)
    }
  }
}

function attempt(operation: string, subject: string): { operation: string; subject: string } {
  return { operation, subject }
}

function nameOf({ tenantId, knowledgeBaseId }: ReadablePair): string {
  return JSON.stringify([tenantId, knowledgeBaseId])
}
