/** What bounds all that a turn does. */
export interface TurnBounds {
  /** Aborted when a person stops it, and by the deadline. */
  readonly signal: AbortSignal
  readonly deadline: TurnDeadline
}

/** How long a turn may take. While a person is waited for it stands still: that wait has a limit of its own. */
export class TurnDeadline {
  readonly #onOver: () => void
  #leftMs: number
  #since = performance.now()
  #pauses = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number, onOver: () => void) {
    this.#leftMs = limitMs
    this.#onOver = onOver
    this.#run()
  }

  /** Milliseconds that are left. */
  get leftMs(): number {
    return this.#pauses > 0 ? this.#leftMs : this.#leftMs - (performance.now() - this.#since)
  }

  /** Stands still until what it gives is called; of several pauses, until the last one is over. */
  pause(): () => void {
    if (this.#pauses === 0) this.#leftMs = this.leftMs
    this.#pauses += 1
    clearTimeout(this.#timer)
    return () => {
      this.#pauses -= 1
      if (this.#pauses === 0) this.#run()
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    // A pause that ends later starts nothing.
    this.#pauses += 1
  }

  #run(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(this.#onOver, this.#leftMs)
  }
}
