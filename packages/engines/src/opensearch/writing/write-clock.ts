/** Writes of one millisecond that can be told apart. */
const PER_MILLISECOND = 1_000
/** Milliseconds to jump by when the engine does not say how far ahead another writer is. */
const JUMP_MS = 60_000

/**
 * Versions of writes, each above all before it. The engine refuses a version below the one it has: an attempt that hung on
 * the way, was given up and sent again must not undo what was written since.
 */
export class WriteClock {
  #last = 0
  readonly #now: () => number

  /** @param now milliseconds since the epoch, so that a new process goes on above what the last one wrote */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  next(): number {
    this.#last = Math.max(this.#last + 1, Math.floor(this.#now() * PER_MILLISECOND))
    return this.#last
  }

  /** Passes a version that the engine has: of another process whose clock is ahead. */
  pass(version: number | undefined): void {
    this.#last = Math.max(this.#last, version ?? this.#last + JUMP_MS * PER_MILLISECOND)
  }
}
