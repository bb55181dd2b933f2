import { AppError } from '@oncall-agent/api-contracts'
import { translatePortError } from '../../observability/index.ts'

/** The fixed message of contract 2: what failed, and nothing about whose machine or why. */
const UNAVAILABLE = 'Structured search is temporarily unavailable.'

/**
 * The typed error of whatever ended a search; the cause stays inside for the log. A fault of this code stays what it is.
 * @param isLate the search ran out of time
 */
export function structuredFailure(cause: unknown, isLate: boolean): unknown {
  const late = { operation: 'search documents', subject: 'deadline' }
  const translated = isLate ? new AppError('SYSTEM_UNAVAILABLE', late) : translatePortError(cause)
  if (!(translated instanceof AppError) || translated.code !== 'SYSTEM_UNAVAILABLE') return translated
  const { operation, subject, hint } = translated
  return new AppError('SYSTEM_UNAVAILABLE', { operation, subject, hint, message: UNAVAILABLE, cause })
}
