import { PortError } from '../ports/index.ts'

/** More evidence than this dilutes what an agent reads; the contract promises at most five. */
export const MAX_TOP_K = 5
export const DEFAULT_TOP_K = 5

/**
 * How many results a caller gets: 5 when nothing is asked, never more than 5.
 * @throws PortError `invalid-argument` unless it is an integer of at least 1
 */
export function clampTopK(topK: number = DEFAULT_TOP_K): number {
  if (!Number.isInteger(topK) || topK < 1) {
    throw new PortError('invalid-argument', {
      operation: 'retrieve evidence',
      subject: 'topK',
      reason: 'must be an integer of at least 1',
      hint: `Ask for 1 to ${MAX_TOP_K} results.`
    })
  }
  return Math.min(topK, MAX_TOP_K)
}
