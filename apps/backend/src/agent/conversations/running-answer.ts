import type { AppError, ToolUse } from '@oncall-agent/api-contracts'
import type { AnswerEnding, BegunTurn, ConversationOwner, Decision, StoredMessage } from '../../store/index.ts'
import type { TurnEvent } from '../answer/turn.ts'
import { untilAborted } from '../answer/until-aborted.ts'
import { AnswerLog } from './answer-log.ts'

/** How an answer came to its end: as it is stored, or why it could not be. */
export type Outcome = { readonly message: StoredMessage } | { readonly failure: AppError }

/** One answer that this process writes. Whoever follows it reads `log` and waits for `changed`. */
export class RunningAnswer {
  readonly owner: ConversationOwner
  readonly question: StoredMessage
  readonly message: StoredMessage
  readonly log = new AnswerLog()
  /** What is still to be stored of its end. */
  ending: AnswerEnding | undefined
  readonly #abort = new AbortController()
  readonly #waiting = new Map<string, (approved: boolean) => void>()
  readonly #listeners = new Set<() => void>()
  readonly #ended = Promise.withResolvers<Outcome>()
  #outcome: Outcome | undefined
  #isWaking = false

  constructor(owner: ConversationOwner, turn: BegunTurn) {
    this.owner = owner
    this.question = turn.question
    this.message = turn.answer
  }

  get id(): string {
    return this.message.id
  }

  /** Aborted when it has to end; the reason is an AppError. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get outcome(): Outcome | undefined {
    return this.#outcome
  }

  get ended(): Promise<Outcome> {
    return this.#ended.promise
  }

  /** Calls that wait for a person. */
  get waits(): boolean {
    return this.#waiting.size > 0
  }

  tell(event: TurnEvent): void {
    this.log.add(event)
    this.#wake()
  }

  stop(reason: AppError): void {
    this.#abort.abort(reason)
  }

  end(outcome: Outcome): void {
    this.#outcome = outcome
    this.#ended.resolve(outcome)
    this.#wake()
  }

  waitsFor(callId: string): boolean {
    return this.#waiting.has(callId)
  }

  /** What a person says; undefined when nobody says anything in time. Rejects with the signal's reason. */
  async decide({ callId }: ToolUse, signal: AbortSignal, limitMs: number): Promise<boolean | undefined> {
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>()
    const limit = setTimeout(() => resolve(undefined), limitMs)
    this.#waiting.set(callId, resolve)
    try {
      return await untilAborted(promise, signal)
    } finally {
      clearTimeout(limit)
      this.#waiting.delete(callId)
    }
  }

  /** Tells a call that waits; one that does not hears nothing. */
  decided({ callId, approved }: Decision): void {
    this.#waiting.get(callId)?.(approved)
  }

  /** Resolves when there may be something new, and when the signal is aborted. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#listeners.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#listeners.add(done)
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    })
  }

  /** Once a turn of the event loop, however many pieces of text came in it. */
  #wake(): void {
    if (this.#isWaking) return
    this.#isWaking = true
    setImmediate(() => {
      this.#isWaking = false
      const listeners = [...this.#listeners]
      this.#listeners.clear()
      for (const listener of listeners) listener()
    })
  }
}
