import { PortError } from '@oncall-agent/retrieval'
import { releaseLock } from '../vectors/shared-lock.ts'
import {
  CONTROL_LOCK,
  CONTROL_READERS,
  CONTROL_WAITING,
  createVectorMemory,
  MAX_READERS
} from '../vectors/vector-memory.ts'
import type { VectorMemory } from '../vectors/vector-memory.ts'
import type { ReaderCalls, ReaderSettings, ReplyOf, RequestOf, ThreadSettings } from './messages.ts'
import { Thread } from './thread.ts'

const READER_MODULE = new URL('./reader-thread.ts', import.meta.url)

interface Reader {
  thread: Thread<ReaderCalls> | undefined
  busy: boolean
  readonly stop: Int32Array
}

interface Job {
  readonly run: (reader: Reader, index: number) => Promise<void>
  readonly drop: (error: Error) => void
}

export interface ReaderPoolOptions extends ThreadSettings {
  readonly readers: number
  /** What each thread runs; absent means the reader of this package. */
  readonly module?: URL
}

/**
 * Reader threads, each with its own connection, all on the same int8 rows. A thread gets one call at a time and the rest
 * waits here, where an aborted call can still be dropped. A thread is started by the first call that needs it, also after
 * it has died.
 */
export class ReaderPool {
  readonly #settings: ThreadSettings
  readonly #module: URL
  readonly #readers: readonly Reader[]
  readonly #vectors: VectorMemory
  #queue: Job[] = []
  #closed = false

  constructor(options: ReaderPoolOptions) {
    const { readers, module = READER_MODULE, ...settings } = options
    this.#settings = settings
    this.#module = module
    this.#vectors = createVectorMemory(settings.fingerprint.dimension)
    this.#readers = Array.from({ length: Math.max(1, Math.min(readers, MAX_READERS)) }, () => ({
      thread: undefined,
      busy: false,
      stop: new Int32Array(new SharedArrayBuffer(4))
    }))
  }

  /** @throws PortError; rejects with the signal's reason when it is aborted, whether the call waits or runs */
  call<K extends keyof ReaderCalls>(
    name: K,
    request: RequestOf<ReaderCalls, K>,
    signal?: AbortSignal
  ): Promise<ReplyOf<ReaderCalls, K>> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    if (this.#closed) return Promise.reject(closedError('read index'))
    return new Promise((resolve, reject) => {
      let reader: Reader | undefined
      let id = 0
      const abort = () => {
        this.#queue = this.#queue.filter((waiting) => waiting !== job)
        this.#tellWaiting()
        if (reader !== undefined) Atomics.store(reader.stop, 0, id)
        reject(signal!.reason as Error)
      }
      const job: Job = {
        run: async (taken, index) => {
          reader = taken
          const thread = this.#threadOf(taken, index)
          id = thread.nextId
          try {
            resolve(await thread.call(name, request))
          } catch (error) {
            reject(this.#closed ? closedError('read index') : (error as Error))
          } finally {
            signal?.removeEventListener('abort', abort)
          }
        },
        drop: (error) => {
          signal?.removeEventListener('abort', abort)
          reject(error)
        }
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#queue.push(job)
      this.#dispatch()
    })
  }

  /** Starts all threads and lets each load what it keeps; the int8 rows are loaded once. */
  async warm(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#readers.map(() => this.call('warm', null, signal)))
  }

  /** @throws PortError closed */
  checkOpen(): void {
    if (this.#closed) throw closedError('read index')
  }

  /** Waiting calls fail with `closed`, running ones are stopped. */
  async close(): Promise<void> {
    this.#closed = true
    const waiting = this.#queue
    this.#queue = []
    for (const job of waiting) job.drop(closedError('read index'))
    // All of them have come to their end before the first failure is thrown.
    const ends = await Promise.allSettled(this.#readers.map((reader) => this.#end(reader)))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  async #end(reader: Reader): Promise<void> {
    const { thread } = reader
    if (thread === undefined || !thread.alive) return
    Atomics.store(reader.stop, 0, thread.nextId - 1)
    try {
      await thread.call('close', null)
    } finally {
      await thread.terminate()
    }
  }

  #dispatch(): void {
    for (const [index, reader] of this.#readers.entries()) {
      if (reader.busy) continue
      const job = this.#queue.shift()
      if (job === undefined) break
      reader.busy = true
      void job.run(reader, index).finally(() => {
        reader.busy = false
        this.#dispatch()
      })
    }
    this.#tellWaiting()
  }

  /** A scan takes no second thread while calls wait for one. */
  #tellWaiting(): void {
    Atomics.store(this.#vectors.control, CONTROL_WAITING, this.#queue.length)
  }

  #threadOf(reader: Reader, index: number): Thread<ReaderCalls> {
    if (reader.thread?.alive === true) return reader.thread
    const settings: ReaderSettings = {
      ...this.#settings,
      reader: index,
      vectors: this.#vectors,
      stop: reader.stop
    }
    // Call numbers begin anew with the thread: one that was stopped in the last must not be stopped in this.
    Atomics.store(reader.stop, 0, 0)
    const thread = new Thread<ReaderCalls>({
      module: this.#module,
      settings,
      onEnd: () => this.#release(index)
    })
    reader.thread = thread
    return thread
  }

  /** A thread that died may have held the lock on the rows, and would seem to scan for ever. */
  #release(index: number): void {
    const { control } = this.#vectors
    Atomics.store(control, CONTROL_READERS + index, 0)
    releaseLock(control.subarray(CONTROL_LOCK, CONTROL_LOCK + 1), index + 1)
  }
}

export function closedError(operation: string): PortError {
  return new PortError('closed', {
    operation,
    subject: 'knowledge index',
    reason: 'the index was closed',
    hint: 'Open it again.'
  })
}
