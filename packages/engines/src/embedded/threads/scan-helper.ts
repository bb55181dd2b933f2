import { Worker } from 'node:worker_threads'
import { availableParallelism } from 'node:os'
import type { ScannedExtent } from '../vectors/extent-scan.ts'
import type { ScanQuery } from '../vectors/scan-kernel.ts'
import { createScanShare, ScanOffer, SHARED_EXTENTS } from '../vectors/scan-share.ts'
import type { ScanShareMemory, SharedCandidate } from '../vectors/scan-share.ts'
import { CONTROL_WAITING } from '../vectors/vector-memory.ts'
import type { VectorMemory } from '../vectors/vector-memory.ts'

const HELPER_MODULE = new URL('./scan-helper-thread.ts', import.meta.url)

/** Waking a thread takes about as long as scanning ten extents; below this it is not worth it. */
const WORTH_SHARING = 192
/** An extent takes microseconds: a helper that is not done by then has died, or this machine does not let it run. */
const LOST_AFTER_MS = 2_000

export interface ScanHelperSettings {
  readonly reader: number
  readonly vectors: VectorMemory
  readonly share: ScanShareMemory
}

export interface ScanHelperOptions {
  /** Extents from which on a scan is shared. */
  readonly worthSharing?: number
  readonly lostAfterMs?: number
  /** What the thread runs; absent means the helper of this package. */
  readonly module?: URL
}

/** A scan of which another thread takes a part. */
export interface SharedWork {
  /** Takes the next extent of the list, from its front; false when there is none left. */
  take(): boolean
  /** Ends the sharing. `again`: the helper's part has to be scanned here. */
  finish(): readonly SharedCandidate[] | 'again'
}

/**
 * A thread beside a reader that takes a part of its large scans, when no other call waits for a reader: one thread alone
 * does not use all that the memory can deliver. It is started by the first large scan and helps from the next one on.
 */
export class ScanHelper {
  readonly #settings: ScanHelperSettings
  readonly #offer: ScanOffer
  readonly #options: Required<ScanHelperOptions>
  #worker: Worker | undefined
  #lost = availableParallelism() === 1

  constructor(reader: number, vectors: VectorMemory, options: ScanHelperOptions = {}) {
    const share = createScanShare()
    this.#options = { worthSharing: WORTH_SHARING, lostAfterMs: LOST_AFTER_MS, module: HELPER_MODULE, ...options }
    this.#settings = { reader, vectors, share }
    this.#offer = new ScanOffer(share)
  }

  /** Undefined when the scan is small, when others wait, or when there is no helper (yet). */
  share(list: readonly ScannedExtent[], query: ScanQuery, limit: number): SharedWork | undefined {
    const { control } = this.#settings.vectors
    const worth = list.length >= this.#options.worthSharing && list.length <= SHARED_EXTENTS
    if (this.#lost || !worth || Atomics.load(control, CONTROL_WAITING) > 0) return undefined
    this.#worker ??= this.#start()
    if (!this.#offer.ready) return undefined
    this.#offer.begin(list, query, limit)
    return { take: () => this.#offer.take(), finish: () => this.#finish() }
  }

  close(): void {
    this.#lost = true
    this.#offer.close()
  }

  #finish(): readonly SharedCandidate[] | 'again' {
    const found = this.#offer.finish(this.#options.lostAfterMs)
    if (found !== 'lost') return found
    // It only reads, and nobody reads what it writes: it can be left to itself until it is gone.
    this.close()
    void this.#worker?.terminate()
    return 'again'
  }

  #start(): Worker {
    const worker = new Worker(this.#options.module, {
      workerData: this.#settings,
      execArgv: [],
      name: 'knowledge index scan'
    })
    // Without it every scan is whole, only slower: nothing that a caller would have to be told.
    worker.on('error', () => {
      this.#lost = true
    })
    worker.unref()
    return worker
  }
}
