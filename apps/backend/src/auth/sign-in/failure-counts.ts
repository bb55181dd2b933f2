import { createHash } from 'node:crypto'

/** Most recently used keys that are remembered: some 10 MB at worst, and far more than fail within a window. */
const REMEMBERED = 10_000
/** How soon to try again when only attempts that are not decided yet stand in the way, in milliseconds. */
const UNDECIDED_MS = 1_000

interface Count {
  /** When attempts failed, oldest first. */
  failedAt: number[]
  /** Attempts that are being checked. */
  undecided: number
}

export interface FailureLimit {
  readonly attempts: number
  readonly windowMs: number
}

/** Failed attempts of each name, or of each address, in memory. Times are milliseconds since the epoch. */
export class FailureCounts {
  readonly #limit: FailureLimit
  /** In order of use: the first is the one to forget. */
  readonly #counts = new Map<string, Count>()

  constructor(limit: FailureLimit) {
    this.#limit = limit
  }

  /** Milliseconds until the next attempt; 0 when it may be made now. */
  waitMs(key: string, now: number): number {
    const count = this.#use(key)
    const { attempts, windowMs } = this.#limit
    // A time that has not come yet means that the clock was set back.
    count.failedAt = count.failedAt.filter((failedAt) => failedAt > now - windowMs && failedAt <= now)
    if (count.failedAt.length + count.undecided < attempts) return 0
    // The limit is reached for as long as this one counts.
    const decisive = count.failedAt[count.failedAt.length - attempts]
    return decisive === undefined ? UNDECIDED_MS : decisive + windowMs - now
  }

  begin(key: string): void {
    this.#use(key).undecided += 1
  }

  /** @param failedAt absent when the attempt did not fail */
  end(key: string, failedAt?: number): void {
    const count = this.#use(key)
    count.undecided = Math.max(0, count.undecided - 1)
    if (failedAt !== undefined) count.failedAt.push(failedAt)
  }

  forget(key: string): void {
    this.#use(key).failedAt = []
  }

  #use(key: string): Count {
    // What people type as a name may be long, and may be their password.
    const id = createHash('sha256').update(key).digest('base64url')
    const count = this.#counts.get(id) ?? { failedAt: [], undecided: 0 }
    this.#counts.delete(id)
    this.#counts.set(id, count)
    const oldest = this.#counts.keys().next()
    if (this.#counts.size > REMEMBERED && oldest.done !== true) this.#counts.delete(oldest.value)
    return count
  }
}
