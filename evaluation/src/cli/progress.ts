/** Milliseconds between two lines where there is no terminal to overwrite: enough to see that it lives. */
const lineIntervalMs = 10_000

export interface ProgressStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** One line that is overwritten on a terminal; elsewhere a line now and then. Everything goes to stderr. */
export class Progress {
  readonly #stream: ProgressStream
  readonly #now: () => number
  #lastLine = Number.NEGATIVE_INFINITY
  #open = false

  constructor(stream: ProgressStream, now: () => number = () => performance.now()) {
    this.#stream = stream
    this.#now = now
  }

  /** A step of something long. */
  step(text: string): void {
    if (this.#stream.isTTY) {
      this.#stream.write(`\r\u001B[K${text}`)
      this.#open = true
    } else if (this.#now() - this.#lastLine >= lineIntervalMs) {
      this.#lastLine = this.#now()
      this.#stream.write(`${text}\n`)
    }
  }

  /** A line that stays. */
  note(text: string): void {
    this.end()
    this.#stream.write(`${text}\n`)
  }

  /** Clears the overwritten line. */
  end(): void {
    if (this.#open) this.#stream.write('\r\u001B[K')
    this.#open = false
  }
}
