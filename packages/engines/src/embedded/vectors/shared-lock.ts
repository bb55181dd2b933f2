/** A waiter looks again this often, in case the holder's thread died and its lock was taken from it. */
const LOOK_AGAIN_MS = 50

/** A lock between threads in one 32-bit cell: 0 when free, else the holder's number from 1. */
export class SharedLock {
  readonly #cell: Int32Array
  readonly #holder: number

  constructor(cell: Int32Array, holder: number) {
    this.#cell = cell
    this.#holder = holder
  }

  hold<T>(work: () => T): T {
    for (;;) {
      const holder = Atomics.compareExchange(this.#cell, 0, 0, this.#holder)
      if (holder === 0) break
      Atomics.wait(this.#cell, 0, holder, LOOK_AGAIN_MS)
    }
    try {
      return work()
    } finally {
      releaseLock(this.#cell, this.#holder)
    }
  }
}

/** Frees the lock if that thread holds it; also called for a thread that has died. */
export function releaseLock(cell: Int32Array, holder: number): void {
  if (Atomics.compareExchange(cell, 0, holder, 0) === holder) Atomics.notify(cell, 0)
}
