import { AppError } from '@oncall-agent/api-contracts'

/** Seconds after which it is worth to ask again. */
const RETRY_AFTER_SECONDS = 5

/** Counts what each person follows at the same time, so that nobody's forgotten tabs or loops fill the server. */
export class StreamsOfOne {
  readonly #limit: number
  readonly #open = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @throws AppError RATE_LIMITED */
  expectRoom(userId: string): void {
    if ((this.#open.get(userId) ?? 0) < this.#limit) return
    throw new AppError('RATE_LIMITED', {
      operation: 'follow answer',
      subject: userId,
      message: `At most ${this.#limit} streams of one person are open at once.`,
      details: { retryAfterSeconds: RETRY_AFTER_SECONDS }
    })
  }

  changed(userId: string, by: 1 | -1): void {
    const open = (this.#open.get(userId) ?? 0) + by
    if (open > 0) this.#open.set(userId, open)
    else this.#open.delete(userId)
  }
}
