import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { bucketPageRange, bucketsOf, MAX_PAGES, PAGE_SLOTS, pageKey, pageOfKey, slotKey } from '../storage/keys.ts'
import type { SlotSpace } from '../storage/slot-space.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import type { DocumentStore } from './document-store.ts'
import { KnowledgeBaseEditor } from './knowledge-base-editor.ts'
import { MERGE_STEPS, RunMerger } from './merge-runs.ts'
import type { MergeTask } from './merge-runs.ts'
import { SlotExtractor } from './move-slots.ts'
import { mergeOf, WORK_MERGE, WORK_MOVE, WORK_NONE, WORK_REMOVE, WORK_SETTLE, workOf } from './page-work.ts'
import type { PageCondition } from './page-work.ts'

/** How long one step may keep the write lock, roughly: another writer waits no longer than that. */
export const STEP_MS = 25
/** Chunks that one step moves: reading a page's postings costs about as much as writing these. */
const MOVED_SLOTS = 128

interface PageAtWork {
  readonly kb: SlotSpace
  readonly slots: PageSlots
  readonly work: number
}

interface MergeProgress {
  readonly task: MergeTask
  readonly step: number
}

/**
 * Keeps pages few and full: joins runs of postings, moves the live chunks out of pages with many dead slots, deletes the
 * rows of pages without chunks. Each step is a transaction of its own that leaves every score as it was, so it can stop
 * between any two, and readers and other processes go on.
 *
 * States of a page (column `work`, set by whoever changes the page): none, settle, merge, move, remove.
 */
export class Compaction {
  readonly #store: DocumentStore
  readonly #merger: RunMerger
  readonly #extractor: SlotExtractor
  readonly #due: StatementSync
  readonly #setWork: StatementSync
  readonly #deleteSlots: readonly StatementSync[]
  readonly #deletePostings: StatementSync
  readonly #removePage: StatementSync
  readonly #stepMs: number
  #progress: MergeProgress | undefined

  constructor(database: DatabaseSync, store: DocumentStore, stepMs: number) {
    this.#store = store
    this.#stepMs = stepMs
    this.#merger = new RunMerger(database)
    this.#extractor = new SlotExtractor(database, store.dimension)
    this.#due = database.prepare(
      'SELECT key, work FROM page WHERE work > 0 AND work >= ? ORDER BY work DESC, key LIMIT 1'
    )
    this.#setWork = database.prepare('UPDATE page SET work = ? WHERE key = ?')
    this.#deleteSlots = ['run', 'quantised'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE key BETWEEN ? AND ?`)
    )
    this.#deletePostings = database.prepare('DELETE FROM posting WHERE key BETWEEN ? AND ?')
    this.#removePage = database.prepare('DELETE FROM page WHERE key = ?')
  }

  /**
   * One bounded step; false when there was nothing to do.
   * @param urgency what can wait until the writer is idle is left alone when it is not
   */
  step(urgency: 'idle' | 'busy'): boolean {
    const least = urgency === 'busy' ? WORK_MERGE : WORK_SETTLE
    if (this.#due.get(least) === undefined) return false
    this.#store.transaction({ operation: 'compact index', subject: 'pages' }, 'layout', (generation) => {
      // Looked up again under the lock: another process may have done it.
      const page = this.#next(least)
      if (page === undefined) return false
      if (page.work === WORK_REMOVE) this.#remove(page, generation)
      else if (page.work === WORK_MOVE) this.#move(page, generation)
      else this.#merge(page)
      return page.work > WORK_MERGE
    })
    return true
  }

  #next(least: number): PageAtWork | undefined {
    const due = this.#due.get(least)
    if (due === undefined) return undefined
    const key = Number(due.key)
    const kb = this.#store.rows.getSpace(Math.floor(key / MAX_PAGES))
    return { kb, slots: this.#store.directory.read(kb).pages.get(pageOfKey(key))!, work: Number(due.work) }
  }

  #condition(page: PageAtWork): PageCondition {
    const { kb, slots } = page
    const closed = kb.nextSlot >= (slots.page + 1) * PAGE_SLOTS
    const runs = this.#store.statements.runs.ofPage(kb.id, slots.page)
    return { used: slots.used, dead: slots.dead, closed, runs }
  }

  #merge(page: PageAtWork): void {
    const range = mergeOf(this.#condition(page))
    const key = pageKey(page.kb.id, page.slots.page)
    if (range === undefined) {
      this.#setWork.run(WORK_NONE, key)
      return
    }
    const { task, step } = this.#resume({ kb: page.kb.id, page: page.slots.page, ...range })
    const until = performance.now() + this.#stepMs
    let next = step
    do this.#merger.mergeStep(task, next++)
    while (next < MERGE_STEPS && performance.now() < until)
    if (next < MERGE_STEPS) {
      this.#progress = { task, step: next }
      return
    }
    this.#progress = undefined
    const { runs } = this.#store.statements
    runs.delete(task.kb, task.page, task)
    runs.insert(task.kb, task.page, { first: task.from, slots: task.to - task.from, granularity: task.granularity })
    this.#setWork.run(workOf(this.#condition(page)), key)
  }

  /** Goes on with the merge that was under way if it is of the same runs; else begins at the first bucket. */
  #resume(task: MergeTask): MergeProgress {
    const before = this.#progress
    if (before === undefined || before.task.kb !== task.kb || before.task.page !== task.page) return { task, step: 0 }
    const same = before.task.from === task.from && before.task.granularity === task.granularity
    // Runs that were added since wait for the next merge.
    return same && before.task.to <= task.to ? before : { task, step: 0 }
  }

  #move(page: PageAtWork, generation: number): void {
    const { kb, slots } = page
    const chosen: number[] = []
    for (let slot = 0; slot < slots.used && chosen.length < MOVED_SLOTS; slot++) {
      if (slots.lengths[slot] !== 0) chosen.push(slot)
    }
    const batch = this.#extractor.extract(kb.id, slots, chosen)
    const editor = new KnowledgeBaseEditor(this.#store, kb)
    for (const slot of chosen) editor.kill(slots.page, slot)
    editor.append(batch)
    editor.flush(generation)
  }

  #remove(page: PageAtWork, generation: number): void {
    const { kb, slots } = page
    const first = slotKey(kb.id, slots.page * PAGE_SLOTS)
    for (const statement of this.#deleteSlots) statement.run(first, first + PAGE_SLOTS - 1)
    for (const granularity of ['coarse', 'fine'] as const) {
      for (let bucket = 0; bucket < bucketsOf(granularity); bucket++) {
        const range = bucketPageRange({ kb: kb.id, granularity, bucket }, slots.page)
        this.#deletePostings.run(range.from, range.to)
      }
    }
    this.#removePage.run(pageKey(kb.id, slots.page))
    const editor = new KnowledgeBaseEditor(this.#store, kb)
    // The number of a removed page is not used again, so an open one is closed with it.
    if (kb.nextSlot < (slots.page + 1) * PAGE_SLOTS) editor.closePage()
    editor.flush(generation)
  }
}
