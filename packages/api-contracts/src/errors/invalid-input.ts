import { AppError, type AppErrorContext } from './app-error.ts'

/** Fields named in the message; all that are reported are in `details.issues`. */
const NAMED_LIMIT = 3
/** Faults that are reported: the rest of a list of thousands tells nothing new. */
const ISSUES_LIMIT = 50

/** What is wrong with one field of a request. */
export interface Issue {
  /** Its name, or its path with dots. Never its value. */
  readonly field: string
  /** Follows the field's name: "must not be empty". */
  readonly problem: string
}

/**
 * VALIDATION_FAILED in one form everywhere: the message names the first faults, `details.issues` holds up to fifty.
 * @param context replaces what the log calls the operation, or the message where one sentence says it better
 */
export function invalidInput(
  issues: readonly Issue[],
  context: Partial<Pick<AppErrorContext, 'operation' | 'message'>> = {}
): AppError {
  const named = issues.slice(0, NAMED_LIMIT).map(({ field, problem }) => `${field}: ${problem}`)
  const reported = issues.slice(0, ISSUES_LIMIT)
  return new AppError('VALIDATION_FAILED', {
    operation: 'check request',
    subject: reported.map(({ field }) => field).join(', '),
    message: `The request is not valid. ${named.join('; ')}.`,
    details: { issues: reported },
    ...context
  })
}
