import { AppError, errorCatalogue, fixedMessages } from '@oncall-agent/api-contracts'
import { translatePortError } from '../../observability/index.ts'

/**
 * The typed error of whatever ended a search; the cause stays inside for the log and the command line. The words of a port
 * name its place, which for an engine elsewhere is an address: none of the caller's business. A fault of this code stays
 * what it is.
 * @param isLate the search ran out of time
 */
export function structuredFailure(cause: unknown, isLate: boolean): unknown {
  const late = { operation: 'search documents', subject: 'deadline' }
  const translated = isLate ? new AppError('SYSTEM_UNAVAILABLE', late) : translatePortError(cause)
  if (!(translated instanceof AppError) || translated === cause) return translated
  const { code, operation, subject, hint } = translated
  const message =
    code === 'SYSTEM_UNAVAILABLE' ? fixedMessages.structuredSearchUnavailable.en : errorCatalogue[code].message.en
  return new AppError(code, { operation, subject, hint, message, cause })
}
