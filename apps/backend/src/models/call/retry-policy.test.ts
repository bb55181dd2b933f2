import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RemoteFailure } from './remote-failure.ts'
import { backOff, readRetryAfter, waitBeforeRetry } from './retry-policy.ts'

const busy = new RemoteFailure({ kind: 'busy', reason: 'busy' })

describe('the wait before the next try', () => {
  it('doubles, up to eight seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 20].map((attempts) => backOff(attempts, 1))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000
    ])
  })

  it('is drawn from the second half of it', () => {
    expect(backOff(1, 0)).toBe(125)
    expect(backOff(1, 0.5)).toBe(187.5)
  })

  it('is never less than the server asks for, and never reaches the deadline', () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.integer({ min: 1, max: 3 }), fc.nat(20_000), (asked, attempts, left) => {
        const failure = new RemoteFailure({ kind: 'busy', reason: 'busy', retryAfterMs: asked })
        const wait = waitBeforeRetry(failure, attempts, left)
        // The longest wait of three tries without a wish of the server's is one second.
        const mustWait = Math.max(asked, 1_000) < left
        expect(wait === undefined ? !mustWait : wait >= asked && wait < left).toBe(true)
      })
    )
  })

  it('is none after the fourth try, and none for what will not pass', () => {
    expect(waitBeforeRetry(busy, 4, 60_000)).toBeUndefined()
    expect(waitBeforeRetry(busy, 3, 60_000)).toBeDefined()
    for (const kind of ['refused', 'unauthorised', 'redirected', 'unreadable', 'too-long', 'timed-out'] as const) {
      expect(waitBeforeRetry(new RemoteFailure({ kind, reason: kind }), 1, 60_000)).toBeUndefined()
    }
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-02-11T10:00:00Z')
  it.for<readonly [string | null, number | undefined]>([
    ['1', 1_000],
    [' 120 ', 120_000],
    ['0.5', 500],
    ['Wed, 11 Feb 2026 10:00:30 GMT', 30_000],
    ['Wed, 11 Feb 2026 09:00:00 GMT', 0],
    ['soon', undefined],
    ['-5 apples', undefined],
    ['', undefined],
    [null, undefined]
  ])('%s is %s milliseconds', ([header, expected]) => {
    expect(readRetryAfter(header, now)).toBe(expected)
  })
})
