import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { compareInCorpusOrder } from '@oncall-agent/retrieval'
import type { ReadablePair } from '@oncall-agent/retrieval'
import type { EntrySelection } from './entry-scope.ts'

/** An entry that was found. */
export interface FoundEntry {
  readonly selection: EntrySelection
  /** Its number. */
  readonly row: number
}

interface Placed<Item> extends ReadablePair {
  readonly item: Item
  readonly createdAt: number
  readonly documentId: string
}

/** Looking up one entry by its number takes about as long as walking over this many. */
const STEPS_A_LOOK_UP = 3

/** Puts entries into corpus order: creation time, document id, then tenant and knowledge base. */
export class CorpusOrder {
  readonly #row: StatementSync
  readonly #ofKnowledgeBase: StatementSync
  readonly #firstOfKnowledgeBase: StatementSync

  constructor(database: DatabaseSync) {
    this.#row = database.prepare('SELECT created_at AS createdAt, document_id AS documentId FROM entry WHERE id = ?')
    const ofKnowledgeBase = `SELECT id, created_at AS createdAt, document_id AS documentId FROM entry WHERE kb = ?
       ORDER BY created_at, document_id`
    this.#ofKnowledgeBase = database.prepare(ofKnowledgeBase)
    this.#firstOfKnowledgeBase = database.prepare(`${ofKnowledgeBase} LIMIT ?`)
  }

  /** The first `limit` of some entries, each given once. */
  first<Item extends FoundEntry>(items: readonly Item[], limit: number): Item[] {
    if (items.length <= 1) return items.slice(0, limit)
    const selections = new Set(items.map((item) => item.selection))
    const placed = this.#isWalkShorter(items, selections, limit)
      ? [...selections].flatMap((selection) => this.#walk(items, selection, limit))
      : items.map((item) => this.#place(item, this.#row.get(item.row)))
    const inOrder = placed.toSorted(compareInCorpusOrder)
    return inOrder.slice(0, limit).map(({ item }) => item)
  }

  /** The first `limit` of all entries of some selections that have no filter. */
  firstOfAll(selections: readonly EntrySelection[], limit: number): FoundEntry[] {
    const placed = selections.flatMap((selection) => {
      const rows = this.#firstOfKnowledgeBase.all(selection.space.kb, limit)
      return rows.map((row) => this.#place({ selection, row: Number(row.id) }, row))
    })
    const inOrder = placed.toSorted(compareInCorpusOrder)
    return inOrder.slice(0, limit).map(({ item }) => item)
  }

  /** When the items are every n-th of the entries, a walk to the first `limit` of a knowledge base is n times as long. */
  #isWalkShorter(items: readonly FoundEntry[], selections: ReadonlySet<EntrySelection>, limit: number): boolean {
    let entries = 0
    for (const { space } of selections) entries += space.chunks
    const steps = limit * selections.size * (entries / items.length)
    return steps < items.length * STEPS_A_LOOK_UP
  }

  /** The first `limit` items of one knowledge base. */
  #walk<Item extends FoundEntry>(items: readonly Item[], selection: EntrySelection, limit: number): Placed<Item>[] {
    const own = items.filter((item) => item.selection === selection)
    const wanted = new Map(own.map((item) => [item.row, item]))
    const found: Placed<Item>[] = []
    for (const row of this.#ofKnowledgeBase.iterate(selection.space.kb)) {
      const item = wanted.get(Number(row.id))
      if (item === undefined) continue
      found.push(this.#place(item, row))
      if (found.length === Math.min(limit, own.length)) break
    }
    return found
  }

  #place<Item extends FoundEntry>(item: Item, row: Record<string, unknown> | undefined): Placed<Item> {
    const { tenantId, knowledgeBaseId } = item.selection.pair
    return { item, tenantId, knowledgeBaseId, createdAt: Number(row?.createdAt), documentId: String(row?.documentId) }
  }
}
