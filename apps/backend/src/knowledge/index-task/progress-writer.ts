/** Often enough for a person who watches; each write waits for the disk. */
const INTERVAL_MS = 500

/** Writes down how far a task is, at most every half second, without holding the work up. */
export class ProgressWriter {
  readonly #write: (embedded: number) => Promise<void>
  readonly #clock: () => number
  #embedded = 0
  #writtenAt: number
  #writing: Promise<void> = Promise.resolve()
  #busy = false

  constructor(write: (embedded: number) => Promise<void>, clock: () => number) {
    this.#write = write
    this.#clock = clock
    this.#writtenAt = clock()
  }

  /** @param chunks that were embedded since the last call */
  advance(chunks: number): void {
    this.#embedded += chunks
    if (this.#busy || this.#clock() - this.#writtenAt < INTERVAL_MS) return
    this.#busy = true
    this.#writtenAt = this.#clock()
    this.#writing = this.#write(this.#embedded).finally(() => (this.#busy = false))
    // Awaited by `finish`; until then a rejection must not count as unhandled.
    this.#writing.catch(() => undefined)
  }

  /** Waits for a write that is under way. What it threw matters no more: the work has failed already. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing])
  }

  /** Writes the last count. @throws what a write threw */
  async finish(): Promise<void> {
    await this.#writing
    await this.#write(this.#embedded)
  }
}
