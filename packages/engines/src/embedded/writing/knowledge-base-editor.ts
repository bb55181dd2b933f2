import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { encodeRow } from '../postings/posting-row.ts'
import type { RowTerm } from '../postings/posting-row.ts'
import { bucketsOf, PAGE_SLOTS, pageKey, postingKey, slotKey } from '../storage/keys.ts'
import type { SlotSpace } from '../storage/slot-space.ts'
import { encodeSlots } from '../storage/page-slots.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import type { SlotDirectory } from '../storage/slot-directory.ts'
import { pickQuantised } from '../vectors/quantise.ts'
import { FINE_FROM, workOf } from './page-work.ts'
import { RunTable } from './run-table.ts'
import { partOfFlat } from './slot-batch.ts'
import type { SlotBatch } from './slot-batch.ts'

/** The statements that change slots, prepared once a connection. */
export class SlotStatements {
  readonly runs: RunTable
  readonly posting: StatementSync
  readonly quantised: StatementSync
  readonly page: StatementSync
  /** Totals of a space, by its kind. */
  readonly totals: Readonly<Record<SlotSpace['kind'], StatementSync>>

  constructor(database: DatabaseSync) {
    this.runs = new RunTable(database)
    this.posting = database.prepare('INSERT INTO posting VALUES (?, ?)')
    this.quantised = database.prepare('INSERT INTO quantised VALUES (?, ?)')
    this.page = database.prepare('INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?)')
    this.totals = {
      chunks: database.prepare(
        'UPDATE knowledge_base SET chunks = ?, tokens = ?, next_slot = ?, generation = ? WHERE id = ?'
      ),
      entries: database.prepare(
        'UPDATE entry_space SET entries = ?, body_tokens = ?, next_slot = ?, generation = ? WHERE id = ?'
      )
    }
  }
}

/** What the editor takes of the document store. */
export interface SlotStore {
  readonly statements: SlotStatements
  readonly directory: SlotDirectory
  readonly dimension: number
}

/** A page being changed: columns of a whole page, so that slots can be added. */
interface PageDraft {
  readonly page: number
  used: number
  dead: number
  readonly lengths: Uint32Array
  readonly documents: Uint32Array
  readonly sequences: Uint32Array
}

/**
 * Changes the slots of one space inside a write transaction: kills slots, fills new ones, and at the end writes the pages
 * and totals that changed. One editor a space and transaction: what is known of its pages is known by their generation.
 */
export class KnowledgeBaseEditor {
  readonly #statements: SlotStatements
  readonly #kb: SlotSpace
  readonly #pages: ReadonlyMap<number, PageSlots>
  readonly #dimension: number
  readonly #drafts = new Map<number, PageDraft>()
  #chunks: number
  #tokens: number
  #nextSlot: number

  constructor(store: SlotStore, kb: SlotSpace) {
    this.#statements = store.statements
    this.#kb = kb
    this.#pages = store.directory.read(kb).pages
    this.#dimension = store.dimension
    this.#chunks = kb.chunks
    this.#tokens = kb.tokens
    this.#nextSlot = kb.nextSlot
  }

  /** The slots are found by looking through the pages: 100,000 take less than a millisecond, and no list can go stale. */
  killDocument(documentRow: number): void {
    for (const slots of this.#pages.values()) {
      for (let slot = slots.documents.indexOf(documentRow); slot >= 0 && slot < slots.used; slot++) {
        if (slots.documents[slot] === documentRow && slots.lengths[slot] !== 0) this.kill(slots.page, slot)
      }
    }
  }

  killAll(): void {
    for (const slots of this.#pages.values()) {
      for (let slot = 0; slot < slots.used; slot++) if (slots.lengths[slot] !== 0) this.kill(slots.page, slot)
    }
  }

  /** The slot's postings stay until compaction; a length of 0 is what readers go by. */
  kill(page: number, slot: number): void {
    const draft = this.#draft(page)
    this.#chunks--
    this.#tokens -= draft.lengths[slot]! - 1
    draft.lengths[slot] = 0
    draft.dead++
  }

  /** Fills the open page, and goes on in the next. */
  append(batch: SlotBatch): void {
    for (let from = 0; from < batch.count;) {
      const page = Math.floor(this.#nextSlot / PAGE_SLOTS)
      const first = this.#nextSlot % PAGE_SLOTS
      const to = Math.min(batch.count, from + PAGE_SLOTS - first)
      this.#appendPart(batch, { page, first, from, to })
      this.#nextSlot += to - from
      from = to
    }
  }

  /** Gives up the rest of the open page: its number goes with it. */
  closePage(): void {
    this.#nextSlot = Math.ceil(this.#nextSlot / PAGE_SLOTS) * PAGE_SLOTS
  }

  /** Writes what changed; readers take the generation for the sign of it. */
  flush(generation: number): void {
    const { id, kind } = this.#kb
    for (const draft of this.#drafts.values()) {
      const { page, used, dead } = draft
      const closed = this.#nextSlot >= (page + 1) * PAGE_SLOTS
      const work = workOf({ used, dead, closed, runs: this.#statements.runs.ofPage(id, page) })
      const columns = {
        lengths: draft.lengths.subarray(0, used),
        documents: draft.documents.subarray(0, used),
        sequences: draft.sequences.subarray(0, used)
      }
      const slots = encodeSlots({ page, generation, used, dead, ...columns })
      this.#statements.page.run(pageKey(id, page), generation, used, dead, work, slots)
    }
    this.#statements.totals[kind].run(this.#chunks, this.#tokens, this.#nextSlot, generation, id)
  }

  #appendPart(batch: SlotBatch, part: { page: number; first: number; from: number; to: number }): void {
    const { page, first, from, to } = part
    const { id } = this.#kb
    const draft = this.#draft(page)
    draft.lengths.set(batch.lengths.subarray(from, to), first)
    draft.documents.set(batch.documents.subarray(from, to), first)
    draft.sequences.set(batch.sequences.subarray(from, to), first)
    draft.used = first + to - from
    for (let position = from; position < to; position++) {
      this.#chunks++
      this.#tokens += batch.lengths[position]! - 1
    }
    this.#insertPostings(batch, part)
    // Nearly always the batch fits the page, and then nothing has to be picked out.
    const whole = from === 0 && to === batch.count
    const positions = Array.from({ length: to - from }, (_, index) => from + index)
    const quantised = whole ? batch.quantised : pickQuantised(batch.quantised, this.#dimension, positions)
    this.#statements.quantised.run(slotKey(id, page * PAGE_SLOTS + first), quantised)
  }

  #insertPostings(batch: SlotBatch, part: { page: number; first: number; from: number; to: number }): void {
    const { page, first, from, to } = part
    const { id } = this.#kb
    const granularity = to - from >= FINE_FROM ? 'fine' : 'coarse'
    const buckets = Array.from({ length: bucketsOf(granularity) }, (): RowTerm[] => [])
    const whole = from === 0 && to === batch.count
    for (const term of batch.terms) {
      const flat = whole ? term.flat : partOfFlat(term.flat, from, to)
      if (flat.length > 0) buckets[term.hash & (buckets.length - 1)]!.push(whole ? term : { ...term, flat })
    }
    for (const [bucket, terms] of buckets.entries()) {
      if (terms.length === 0) continue
      const key = postingKey({ kb: id, granularity, bucket }, page * PAGE_SLOTS + first)
      this.#statements.posting.run(key, encodeRow(page, terms, first - from))
    }
    this.#statements.runs.insert(id, page, { first, slots: to - from, granularity })
  }

  #draft(page: number): PageDraft {
    const known = this.#drafts.get(page)
    if (known !== undefined) return known
    const slots = this.#pages.get(page)
    const draft = {
      page,
      used: slots?.used ?? 0,
      dead: slots?.dead ?? 0,
      lengths: wholeColumn(slots?.lengths),
      documents: wholeColumn(slots?.documents),
      sequences: wholeColumn(slots?.sequences)
    }
    this.#drafts.set(page, draft)
    return draft
  }
}

/** A column with room for all slots of a page. */
function wholeColumn(values: Uint32Array | undefined): Uint32Array {
  const whole = new Uint32Array(PAGE_SLOTS)
  if (values !== undefined) whole.set(values)
  return whole
}
