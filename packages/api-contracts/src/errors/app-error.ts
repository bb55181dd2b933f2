import { type ErrorCode, errorCatalogue } from './catalogue.ts'

/**
 * The one error that rooms throw and delivery translates.
 * `message` is safe for a person; `details` is safe structured data; `cause`, `operation` and `subject` are for the log.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly operation: string
  readonly subject: string
  readonly hint: string
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, context: AppErrorContext) {
    super(context.message ?? errorCatalogue[code].message.en, { cause: context.cause })
    this.code = code
    this.operation = context.operation
    this.subject = context.subject ?? ''
    this.hint = context.hint ?? ''
    this.details = context.details
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }
}

export interface AppErrorContext {
  /** What was tried, for the log: "retrieve evidence". */
  readonly operation: string
  /** On what: an id or a path. */
  readonly subject?: string
  /** Replaces the catalogue's message with one as safe as it: it may name a field or a file of the caller, never a host, a key or another tenant. */
  readonly message?: string
  /** What a person can do next. */
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}
