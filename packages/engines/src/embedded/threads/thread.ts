import { Worker } from 'node:worker_threads'
import type { Transferable } from 'node:worker_threads'
import { PortError } from '@oncall-agent/retrieval'
import { failureOf } from './failure-message.ts'
import { BACKGROUND } from './messages.ts'
import type { ReplyMessage, ReplyOf, RequestOf } from './messages.ts'

interface Waiting {
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: Error) => void
}

export interface ThreadOptions {
  /** The module that the thread runs. */
  readonly module: URL
  readonly settings: unknown
  /** After the thread has ended, asked for or not. */
  readonly onEnd?: () => void
  /** What went wrong between calls. */
  readonly onBackgroundFailure?: (error: PortError) => void
}

/** A worker thread that answers calls. When it ends, what it has not answered fails with `unavailable`. */
export class Thread<C> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #onBackgroundFailure: ((error: PortError) => void) | undefined
  #nextId = BACKGROUND + 1
  #fault: unknown
  #alive = true

  constructor(options: ThreadOptions) {
    this.#onBackgroundFailure = options.onBackgroundFailure
    // No flags of the parent: a test runner's loader or inspector does not belong into these threads.
    this.#worker = new Worker(options.module, { workerData: options.settings, execArgv: [], name: 'knowledge index' })
    this.#worker.on('message', (message: ReplyMessage) => this.#settle(message))
    this.#worker.on('error', (error) => {
      this.#fault = error
    })
    this.#worker.on('exit', () => {
      this.#alive = false
      options.onEnd?.()
      this.#failAll()
    })
    // An idle index does not keep the process alive; a call that waits does.
    this.#worker.unref()
  }

  get alive(): boolean {
    return this.#alive
  }

  /** The id that `call` is going to use next. */
  get nextId(): number {
    return this.#nextId
  }

  call<K extends keyof C & string>(
    name: K,
    request: RequestOf<C, K>,
    transfer: readonly Transferable[] = []
  ): Promise<ReplyOf<C, K>> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (reply: unknown) => void, reject })
      this.#worker.ref()
      try {
        this.#worker.postMessage({ id, name, request }, [...transfer])
      } catch (error) {
        this.#forget(id)
        reject(error instanceof Error ? error : new Error(String(error)))
        return
      }
      if (!this.#alive) this.#failAll()
    })
  }

  /** Ends the thread at once. */
  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(message: ReplyMessage): void {
    if (message.id === BACKGROUND) {
      if (message.failure !== undefined) this.#onBackgroundFailure?.(failureOf(message.failure))
      return
    }
    const waiting = this.#waiting.get(message.id)
    this.#forget(message.id)
    if (message.failure === undefined) waiting?.resolve(message.reply)
    else waiting?.reject(failureOf(message.failure))
  }

  #forget(id: number): void {
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
  }

  #failAll(): void {
    for (const [id, waiting] of this.#waiting) {
      this.#forget(id)
      waiting.reject(
        new PortError('unavailable', {
          operation: 'ask index thread',
          subject: 'knowledge index',
          reason: 'the thread ended before it answered',
          hint: 'The next call starts a new one. If it happens again, look for a lack of memory.',
          cause: this.#fault
        })
      )
    }
  }
}
