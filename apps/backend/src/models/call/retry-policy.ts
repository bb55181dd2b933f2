import type { RemoteFailure } from './remote-failure.ts'

/** Tries of one call: with the waits below they span about two seconds, as long as a restart behind a balancer takes. */
const ATTEMPTS = 4
/** Milliseconds before the second try; it doubles from try to try. */
const FIRST_WAIT_MS = 250
/** Milliseconds; the doubling stops here. */
const LONGEST_WAIT_MS = 8_000
/** Share of a wait that is left to chance, so that callers that failed together do not come back together. */
const JITTER = 0.5
const MS_PER_SECOND = 1_000

/**
 * Milliseconds to wait before the next try; undefined when there is to be none: it would not help, there were enough,
 * or the deadline comes first.
 * @param attempts how often it was tried
 * @param leftMs until the deadline
 */
export function waitBeforeRetry(failure: RemoteFailure, attempts: number, leftMs: number): number | undefined {
  if (!failure.passing || attempts >= ATTEMPTS) return undefined
  const wait = Math.max(failure.retryAfterMs ?? 0, backOff(attempts, Math.random()))
  return wait < leftMs ? wait : undefined
}

/** Exponential back-off: half of it fixed, half of it drawn by `chance` of 0..1. */
export function backOff(attempts: number, chance: number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1))
  return full * (1 - JITTER + JITTER * chance)
}

/**
 * Milliseconds that a `Retry-After` header asks for, which is either seconds or a date (RFC 9110, 10.2.3).
 * Undefined when it is absent or neither.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+([.]\d+)?\s*$/.test(header)) return Number(header) * MS_PER_SECOND
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
