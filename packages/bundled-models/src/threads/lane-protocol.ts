import { PortError, type PortFailure } from '@oncall-agent/retrieval'

export type ToWorker<Ask> =
  | { readonly kind: 'ask'; readonly id: number; readonly question: Ask }
  | { readonly kind: 'close' }

export type FromWorker<Answer> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'load-failed'; readonly error: PlainError }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: PlainError }

/** An error as it crosses between threads, where classes do not survive. */
export interface PlainError {
  readonly failure: PortFailure
  readonly operation: string
  readonly subject: string
  readonly reason: string
  readonly hint: string
}

export function flattenError(error: unknown): PlainError {
  if (error instanceof PortError) {
    const { failure, operation, subject, hint, message } = error
    // A PortError's message is "operation: reason (subject)".
    const reason = message.slice(operation.length + 2, message.length - subject.length - 3)
    return { failure, operation, subject, hint, reason }
  }
  const reason = error instanceof Error ? error.message : String(error)
  return { failure: 'unavailable', operation: 'run a model', subject: '', reason, hint: '' }
}

/** @param subject stands in where the thread did not name one */
export function reviveError(error: PlainError, subject: string): PortError {
  return new PortError(error.failure, { ...error, subject: error.subject || subject })
}
