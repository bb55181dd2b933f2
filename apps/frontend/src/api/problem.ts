import { ApiError, type ErrorCode } from '@oncall-agent/api-contracts'

/** What went wrong, ready to be shown: the code chooses the words, the id finds it in the log. */
export interface Problem {
  readonly code: ErrorCode
  /** The server's own sentence, in English; it may name the field or the part. */
  readonly message: string
  /** Empty when no server answered. */
  readonly requestId: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Null for what was only stopped: the page was left or asked again. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof DOMException && error.name === 'AbortError') return null
  if (error instanceof ApiError) {
    return { code: error.code, message: error.message, requestId: error.requestId, details: error.details ?? {} }
  }
  // A fault of the page itself: it is shown, and the console keeps its trace.
  console.error(error)
  return {
    code: 'INTERNAL',
    message: error instanceof Error ? error.message : String(error),
    requestId: '',
    details: {}
  }
}

/** A detail that is text: an id of something, mostly. */
export function textDetail(problem: Problem, name: string): string | null {
  const value = problem.details[name]
  return typeof value === 'string' && value !== '' ? value : null
}
