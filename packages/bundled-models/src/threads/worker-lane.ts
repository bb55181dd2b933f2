import { Worker } from 'node:worker_threads'
import { PortError, type ModelState } from '@oncall-agent/retrieval'
import { reviveError, type FromWorker, type ToWorker } from './lane-protocol.ts'

/** A worker may be inside one model run (under a second for 512 tokens on a slow core) when it is asked to leave. */
const CLOSE_PATIENCE_MS = 5_000

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * The near side of one worker thread that answers questions one at a time, in order.
 *
 * States: cold → warming (first `warm` or `ask`) → warm → closed. A failed load, or a thread that dies, leads back to
 * cold: what was asked is rejected, and the next question starts a new thread.
 */
export class WorkerLane<Ask, Answer> {
  readonly #entry: URL
  readonly #setup: unknown
  readonly #subject: string
  readonly #waiting = new Map<number, Waiting<Answer>>()
  #state: ModelState = 'cold'
  #worker: Worker | undefined
  #ready: Promise<void> | undefined
  #nextId = 1
  readonly #onLoad: (succeeded: boolean) => void

  /**
   * @param subject what the thread serves, for errors
   * @param onLoad told how each load ended, except one that `close` broke off
   */
  constructor(entry: URL, setup: unknown, subject: string, onLoad: (succeeded: boolean) => void = () => {}) {
    this.#entry = entry
    this.#setup = setup
    this.#subject = subject
    this.#onLoad = onLoad
  }

  get state(): ModelState {
    return this.#state
  }

  /** @throws PortError corrupt (weights), unavailable (the thread died), closed */
  warm(): Promise<void> {
    if (this.#state === 'closed') return Promise.reject(this.#closed())
    this.#ready ??= this.#start()
    return this.#ready
  }

  /**
   * @param moved buffers inside the question that go to the thread instead of being copied
   * @throws PortError as `warm`, and what the thread itself answers with
   */
  async ask(question: Ask, moved: readonly ArrayBuffer[] = []): Promise<Answer> {
    await this.warm()
    const worker = this.#worker
    if (worker === undefined) throw this.#closed()
    return new Promise<Answer>((resolve, reject) => {
      const id = this.#nextId++
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ kind: 'ask', id, question } satisfies ToWorker<Ask>, moved)
    })
  }

  /** Rejects what is still waiting; resolves when the thread is gone. Idempotent. */
  async close(): Promise<void> {
    this.#state = 'closed'
    const worker = this.#worker
    this.#worker = undefined
    this.#rejectAll(this.#closed())
    if (worker === undefined) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => void worker.terminate(), CLOSE_PATIENCE_MS)
      worker.once('exit', () => {
        clearTimeout(timer)
        resolve()
      })
      worker.postMessage({ kind: 'close' } satisfies ToWorker<Ask>, [])
    })
  }

  #start(): Promise<void> {
    this.#state = 'warming'
    const worker = new Worker(this.#entry, { workerData: this.#setup })
    this.#worker = worker
    return new Promise<void>((resolve, reject) => {
      let failure: PortError | undefined
      worker.on('message', (message: FromWorker<Answer>) => {
        if (message.kind === 'ready') {
          // Closed meanwhile: the exit rejects.
          if (this.#state !== 'warming') return
          this.#state = 'warm'
          this.#onLoad(true)
          resolve()
        } else if (message.kind === 'load-failed') {
          // The thread ends by itself; only then can the next call start another.
          failure = reviveError(message.error, this.#subject)
        } else {
          this.#settle(message)
        }
      })
      let cause: unknown
      worker.on('error', (error) => (cause = error))
      worker.on('exit', () => {
        if (this.#state === 'warming') this.#onLoad(false)
        const error = this.#state === 'closed' ? this.#closed() : (failure ?? this.#died(cause))
        if (this.#worker === worker) this.#forget()
        // After `ready` the promise is settled, and this changes nothing.
        reject(error)
        this.#rejectAll(error)
      })
    })
  }

  #settle(message: Extract<FromWorker<Answer>, { id: number }>): void {
    const waiting = this.#waiting.get(message.id)
    if (waiting === undefined) return
    this.#waiting.delete(message.id)
    if (message.kind === 'answer') waiting.resolve(message.answer)
    else waiting.reject(reviveError(message.error, this.#subject))
  }

  #forget(): void {
    this.#worker = undefined
    this.#ready = undefined
    if (this.#state !== 'closed') this.#state = 'cold'
  }

  #rejectAll(error: PortError): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #closed(): PortError {
    return new PortError('closed', { operation: 'use a model', subject: this.#subject, reason: 'was closed' })
  }

  #died(cause: unknown): PortError {
    return new PortError('unavailable', {
      operation: 'run a model',
      subject: this.#subject,
      reason: cause instanceof Error ? `its thread died: ${cause.message}` : 'its thread ended',
      hint: 'The next call starts a new thread. If it dies again, look at free memory first.',
      cause
    })
  }
}
