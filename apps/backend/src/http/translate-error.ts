import { AppError, type ErrorBody, type ErrorCode, errorCatalogue } from '@oncall-agent/api-contracts'

/**
 * The one place where an error becomes an answer. What rooms throw keeps its code and its safe message; what the
 * framework refuses gets the code of the catalogue; anything else is INTERNAL, and nothing of it leaves the process.
 */
export function translateError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const status = statusOf(thrown)
  if (status === undefined || status < 400 || status >= 500) {
    return new AppError('INTERNAL', { operation: 'answer request', cause: thrown })
  }
  const code = frameworkCodes.get(status) ?? 'VALIDATION_FAILED'
  const message =
    code === 'VALIDATION_FAILED' ? 'The request cannot be read: it is not valid HTTP with valid JSON.' : ''
  return new AppError(code, { operation: 'read request', cause: thrown, ...(message ? { message } : {}) })
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { code, message, details } = error
  return { error: { code, message, requestId, ...(details ? { details: { ...details } } : {}) } }
}

const frameworkCodes = new Map<number, ErrorCode>(
  (['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const).map((code) => [
    errorCatalogue[code].status,
    code
  ])
)

function statusOf(thrown: unknown): number | undefined {
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined
  return typeof status === 'number' ? status : undefined
}
