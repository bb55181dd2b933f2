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

export interface FailureLimits {
  /**
   * Of one name, from all addresses together: many times more than of an address, so that strangers can not keep its
   * owner out by guessing, while guessing from many addresses stays hopeless.
   */
  readonly ofName: FailureLimit
  /** Of one address, and of somebody who is signed in already. */
  readonly ofAddress: FailureLimit
}

export function createLoginLimits({ ofName, ofAddress }: FailureLimits, clock: () => number): LoginLimits {
  const names = new FailureCounts(ofName)
  const signedIn = new FailureCounts(ofAddress)
  const addresses = new FailureCounts(ofAddress)
  return {
    begin: ({ name, address }) => {
      const keys = [
        { counts: address === undefined ? signedIn : names, key: name.toLowerCase() },
        ...(address === undefined ? [] : [{ counts: addresses, key: addressKey(address) }])
      ]
      const waitMs = Math.max(...keys.map(({ counts, key }) => counts.waitMs(key, clock())))
      if (waitMs > 0) throw tooManyAttempts(waitMs)
      for (const { counts, key } of keys) counts.begin(key)
      return {
        end: (outcome) => {
          for (const { counts, key } of keys) counts.end(key, outcome === 'failed' ? clock() : undefined)
          if (outcome === 'succeeded') keys[0]?.counts.forget(name.toLowerCase())
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
