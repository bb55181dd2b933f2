import { AppError } from '@oncall-agent/api-contracts'
import { addressKey } from './address-key.ts'
import { FailureCounts, type FailureLimit } from './failure-counts.ts'

export interface AttemptBy {
  /** What is tried on whom, known or not: attempts of one name, in upper or lower case, are counted together. */
  readonly name: string
  /** Where the attempt comes from; absent for somebody who is signed in already. */
  readonly address?: string
}

/** An attempt that is being checked. It counts until it is ended, so that many at once can not pass the limit. */
export interface Attempt {
  /**
   * `succeeded` clears what is counted against the name, not against the address: who guesses for many names must not
   * get new attempts by an own account. `undone`: neither right nor wrong, because something broke.
   */
  end(outcome: 'failed' | 'succeeded' | 'undone'): void
}

export interface LoginLimits {
  /** @throws AppError RATE_LIMITED with `details.retryAfterSeconds` */
  begin(by: AttemptBy): Attempt
}

export function createLoginLimits(limit: FailureLimit, clock: () => number): LoginLimits {
  const names = new FailureCounts(limit)
  const addresses = new FailureCounts(limit)
  return {
    begin: ({ name, address }) => {
      const keys = [
        { counts: names, key: name.toLowerCase() },
        ...(address === undefined ? [] : [{ counts: addresses, key: addressKey(address) }])
      ]
      const waitMs = Math.max(...keys.map(({ counts, key }) => counts.waitMs(key, clock())))
      if (waitMs > 0) throw tooManyAttempts(waitMs)
      for (const { counts, key } of keys) counts.begin(key)
      return {
        end: (outcome) => {
          for (const { counts, key } of keys) counts.end(key, outcome === 'failed' ? clock() : undefined)
          if (outcome === 'succeeded') names.forget(name.toLowerCase())
        }
      }
    }
  }
}

function tooManyAttempts(waitMs: number): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000)
  return new AppError('RATE_LIMITED', {
    operation: 'check password',
    message: 'Too many attempts to sign in failed.',
    hint: `Try again in ${retryAfterSeconds} seconds.`,
    details: { retryAfterSeconds }
  })
}
