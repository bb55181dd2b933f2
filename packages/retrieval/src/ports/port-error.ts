/** Why a port could not do what was asked; the caller maps it to the public error catalogue. */
export type PortFailure =
  | 'invalid-argument'
  | 'unavailable'
  | 'locked'
  | 'disk-full'
  | 'corrupt'
  | 'newer-format'
  | 'model-mismatch'
  | 'closed'

/**
 * The one error that engines and models throw.
 * `operation` is what was tried ("replace document"), `subject` on what (an id or a path), `hint` what a person can do.
 */
export class PortError extends Error {
  override readonly name = 'PortError'
  readonly failure: PortFailure
  readonly operation: string
  readonly subject: string
  readonly hint: string

  constructor(failure: PortFailure, detail: PortErrorDetail) {
    super(`${detail.operation}: ${detail.reason} (${detail.subject})`, { cause: detail.cause })
    this.failure = failure
    this.operation = detail.operation
    this.subject = detail.subject
    this.hint = detail.hint ?? ''
  }
}

export interface PortErrorDetail {
  readonly operation: string
  readonly subject: string
  readonly reason: string
  readonly hint?: string
  readonly cause?: unknown
}
