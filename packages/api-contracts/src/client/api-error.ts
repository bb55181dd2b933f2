import type { ErrorCode } from '../errors/catalogue.ts'
import type { ErrorBody } from '../errors/error-body.ts'

/** What the server answered instead of a success, or that it did not answer (`status` 0, `SYSTEM_UNAVAILABLE`). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly requestId: string
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(status: number, { error }: ErrorBody, cause?: unknown) {
    super(error.message, { cause })
    this.code = error.code
    this.status = status
    this.requestId = error.requestId
    this.details = error.details
  }
}
