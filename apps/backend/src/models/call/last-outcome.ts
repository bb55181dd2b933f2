import type { ModelState } from '@oncall-agent/retrieval'

/**
 * Milliseconds for which a failure says something about the server. After it the state is `cold` again, as nobody knows:
 * whoever is sent no questions while the model is `failed` would otherwise never find out that it is back.
 */
export const FAILURE_KNOWN_MS = 60_000

/**
 * What is known of a server without asking it, so that a readiness check costs nothing:
 * `cold` (nothing) → `warming` (a call runs) → `warm` or `failed` (how the last call went) → `cold` (a failure
 * that is long past). `closed` is the end.
 */
export class LastOutcome {
  readonly #now: () => number
  #last: 'none' | 'succeeded' | 'failed' | 'closed' = 'none'
  #at = 0
  #running = 0

  /** @param now a clock in milliseconds that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get state(): ModelState {
    if (this.#last === 'closed') return 'closed'
    if (this.#last === 'succeeded') return 'warm'
    if (this.#last === 'failed' && this.#now() - this.#at < FAILURE_KNOWN_MS) return 'failed'
    return this.#running > 0 ? 'warming' : 'cold'
  }

  started(): void {
    this.#running += 1
  }

  ended(): void {
    this.#running -= 1
  }

  record(outcome: 'succeeded' | 'failed' | 'closed'): void {
    if (this.#last === 'closed') return
    this.#last = outcome
    this.#at = this.#now()
  }
}
