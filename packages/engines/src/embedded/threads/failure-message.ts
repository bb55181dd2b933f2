import { PortError } from '@oncall-agent/retrieval'
import type { PortFailure } from '@oncall-agent/retrieval'

/** A `PortError` in plain values: errors lose their fields on the way between threads. */
export interface FailureMessage {
  readonly failure: PortFailure
  readonly operation: string
  readonly subject: string
  readonly reason: string
  readonly hint: string
}

/** What a thread threw, for the other side; what is no `PortError` is a fault of this package or of the machine. */
export function failureMessage(error: unknown, operation: string): FailureMessage {
  if (error instanceof PortError) {
    const { failure, subject, hint } = error
    const reason = error.message.slice(error.operation.length + 2, -(subject.length + 3))
    return { failure, operation: error.operation, subject, reason, hint }
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { failure: 'unavailable', operation, subject: 'index thread', reason, hint: 'Report this fault.' }
}

export function failureOf(message: FailureMessage): PortError {
  const { failure, operation, subject, reason, hint } = message
  return new PortError(failure, { operation, subject, reason, hint })
}
