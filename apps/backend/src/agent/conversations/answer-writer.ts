import type { Logger } from '../../observability/index.ts'
import type { AnswerChange, BusinessStore, Held } from '../../store/index.ts'
import { lost, stopped } from './ending-reasons.ts'
import type { RunningAnswer } from './running-answer.ts'

export interface WriterTiming {
  /** Between two writes of what grew, in milliseconds. */
  readonly saveMs: number
  /** For so long a writer that gives no sign of life is taken for alive, in milliseconds. */
  readonly leaseMs: number
}

/**
 * Milliseconds between two commits that ends ask for: a commit waits for the disk, and two hundred answers that end at
 * the same time need a few of them, not two hundred.
 */
const GATHER_MS = 25
/** Answers of one transaction: it holds the thread, and everything else that streams waits so long. */
const ANSWERS_AT_ONCE = 25
/** Turns in which an end could not be stored, after which it is given up: the disk is full, or locked by somebody. */
const ENDING_TRIES = 5

/**
 * Stores what the answers of this process have become: what grew once in `saveMs`, ends soon, all in few transactions.
 * Every write renews the lease, so that no other process takes the answer for abandoned, and tells what others ask.
 */
export class AnswerWriter {
  readonly #store: Pick<BusinessStore, 'answers'>
  readonly #logger: Logger
  readonly #timing: WriterTiming
  readonly #held = new Map<string, HeldAnswer>()
  #timer: NodeJS.Timeout | undefined
  /** When the next turn is due, of the clock that only goes forward. */
  #due = Number.POSITIVE_INFINITY
  #isWriting = false
  #isFailing = false
  #lastWrite = 0
  /** When everything was last written. */
  #lastSweep = 0

  constructor(store: Pick<BusinessStore, 'answers'>, logger: Logger, timing: WriterTiming) {
    this.#store = store
    this.#logger = logger
    this.#timing = timing
  }

  hold(run: RunningAnswer): void {
    const ended = Promise.withResolvers<boolean>()
    this.#held.set(run.id, { run, savedVersion: 0, ended, tries: 0, isUrgent: false })
    this.#schedule(this.#timing.saveMs)
  }

  /**
   * Stores the end of an answer. Resolves when it is on the disk; with false when it is not the writer's any more.
   * @throws AppError of the business store
   */
  async end(run: RunningAnswer): Promise<boolean> {
    const held = this.#held.get(run.id)
    if (held === undefined) return false
    this.soon(run)
    try {
      return await held.ended.promise
    } finally {
      this.#held.delete(run.id)
    }
  }

  /** Writes this one without waiting for the next turn of all. */
  soon({ id }: RunningAnswer): void {
    const held = this.#held.get(id)
    if (held !== undefined) held.isUrgent = true
    const sinceLast = performance.now() - this.#lastWrite
    this.#schedule(Math.max(0, Math.min(this.#timing.saveMs, GATHER_MS - sinceLast)))
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#due = Number.POSITIVE_INFINITY
    this.#held.clear()
  }

  /** An earlier turn that is planned already stays: it sees this one's wish, too. */
  #schedule(waitMs: number): void {
    const due = performance.now() + waitMs
    if (this.#held.size === 0 || this.#due <= due) return
    clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(() => void this.#turn(), waitMs)
  }

  async #turn(): Promise<void> {
    this.#due = Number.POSITIVE_INFINITY
    // The one that is under way schedules the next, which sees whatever came in between.
    if (this.#isWriting) return
    this.#isWriting = true
    try {
      const isSweep = performance.now() - this.#lastSweep >= this.#timing.saveMs
      if (isSweep) this.#lastSweep = performance.now()
      const all = [...this.#held.values()].filter(({ isUrgent }) => isSweep || isUrgent)
      for (let from = 0; from < all.length; from += ANSWERS_AT_ONCE) {
        await this.#save(all.slice(from, from + ANSWERS_AT_ONCE))
        await new Promise(setImmediate)
      }
      await this.#hearDecisions()
      if (this.#isFailing) this.#logger.info('answers are stored again')
      this.#isFailing = false
    } catch (err) {
      // Said once an outage; the next turn tries again.
      if (!this.#isFailing) this.#logger.error({ err }, 'answers can not be stored, trying on')
      this.#isFailing = true
      for (const held of this.#held.values()) giveUp(held, err)
    } finally {
      this.#isWriting = false
      this.#lastWrite = performance.now()
      this.#schedule(this.#isFailing || !this.#hasUrgent() ? this.#timing.saveMs : GATHER_MS)
    }
  }

  async #save(answers: readonly HeldAnswer[]): Promise<void> {
    const leaseUntil = Date.now() + this.#timing.leaseMs
    const versions = answers.map(({ run }) => run.log.version)
    const endings = answers.map(({ run }) => run.ending)
    const changes = answers.map((held): AnswerChange => {
      const { ending, log, id } = held.run
      const grew = ending === undefined && log.version > held.savedVersion
      return {
        messageId: id,
        leaseUntil,
        ...(grew ? { progress: log.progress } : {}),
        ...(ending === undefined ? {} : { ending })
      }
    })
    const after = await this.#store.answers.save(changes)
    for (const [index, held] of answers.entries()) {
      held.savedVersion = versions[index]!
      // An end that came in the meantime is still to be written.
      held.isUrgent = held.run.ending !== endings[index]
      obey(held.run, after.get(held.run.id))
      if (endings[index] !== undefined) held.ended.resolve(after.get(held.run.id) !== 'lost')
    }
  }

  /** What people said to waiting calls through another process. */
  async #hearDecisions(): Promise<void> {
    const waiting = [...this.#held.values()].filter(({ run }) => run.waits).map(({ run }) => run)
    if (waiting.length === 0) return
    const said = await this.#store.answers.decisions(waiting.map(({ id }) => id))
    for (const run of waiting) for (const decision of said.get(run.id) ?? []) run.decided(decision)
  }

  #hasUrgent(): boolean {
    return [...this.#held.values()].some(({ isUrgent }) => isUrgent)
  }
}

interface HeldAnswer {
  readonly run: RunningAnswer
  /** Of the log, as far as it is stored. */
  savedVersion: number
  readonly ended: PromiseWithResolvers<boolean>
  tries: number
  /** Somebody waits for it to be stored. */
  isUrgent: boolean
}

function obey(run: RunningAnswer, held: Held | undefined): void {
  if (held === 'stop') run.stop(stopped())
  if (held === 'lost') run.stop(lost())
}

function giveUp(held: HeldAnswer, cause: unknown): void {
  if (held.run.ending === undefined) return
  held.tries += 1
  if (held.tries >= ENDING_TRIES) held.ended.reject(cause)
}
