import { AppError } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'
import { addressKey } from '../../auth/index.ts'
import { callerAddress } from './caller-address.ts'

/** Buckets that are remembered; the one that was used longest ago goes first, at about 100 bytes each. */
const BUCKETS_LIMIT = 10_000
const MINUTE_MS = 60_000

interface Bucket {
  /** In whole numbers, so that no wait that was told falls short by a rounding: a request costs MINUTE_MS, a millisecond gives the limit. */
  readonly credit: number
  /** Whole milliseconds. */
  readonly at: number
}

/**
 * A token bucket for each caller: a minute's worth at once, then one a minute's share. Without credentials the address
 * counts, of IPv6 its /64, for that is what one household has.
 * @param now milliseconds of a clock that only goes forward
 */
export function createRateLimit(perMinute: number, now: () => number = () => performance.now()) {
  const buckets = new Map<string, Bucket>()

  /** Takes a token. @returns seconds to wait when there is none, else 0 */
  function take(key: string): number {
    const at = Math.floor(now())
    const full = perMinute * MINUTE_MS
    const bucket = buckets.get(key) ?? { credit: full, at }
    const credit = Math.min(full, bucket.credit + (at - bucket.at) * perMinute)
    const taken = credit >= MINUTE_MS
    buckets.delete(key)
    buckets.set(key, { credit: taken ? credit - MINUTE_MS : credit, at })
    if (buckets.size > BUCKETS_LIMIT) forgetOldest(buckets)
    return taken ? 0 : Math.ceil((MINUTE_MS - credit) / (perMinute * 1_000))
  }

  return { take, size: () => buckets.size }
}

export type RateLimit = ReturnType<typeof createRateLimit>

/** @throws AppError RATE_LIMITED; `details.retryAfterSeconds` becomes the Retry-After header */
export function limitRate(limit: RateLimit, request: FastifyRequest): void {
  const key = bucketOf(request)
  const retryAfterSeconds = limit.take(key)
  if (retryAfterSeconds === 0) return
  throw new AppError('RATE_LIMITED', { operation: 'limit requests', subject: key, details: { retryAfterSeconds } })
}

function bucketOf(request: FastifyRequest): string {
  const { caller } = request
  if (caller?.via === 'api-key') return `key ${caller.credentialId}`
  if (caller) return `user ${caller.userId}`
  return `address ${addressKey(callerAddress(request))}`
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const oldest = buckets.keys().next()
  if (!oldest.done) buckets.delete(oldest.value)
}
