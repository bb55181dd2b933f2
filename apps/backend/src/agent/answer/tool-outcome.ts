import { AppError, errorCatalogue, type Failure, type ToolStatus } from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import { type EndingReason, failureOf } from './sentences.ts'
import type { ToolResult } from '../tools/agent-tool.ts'

/** How a call ended, before it is recorded. */
export interface ToolOutcome {
  readonly status: ToolStatus
  readonly failure: Failure | null
  readonly result: ToolResult | null
}

export function succeeded(result: ToolResult): ToolOutcome {
  return { status: 'ok', failure: null, result }
}

export function failed(failure: Failure): ToolOutcome {
  return { status: 'failed', failure, result: null }
}

/** Not given, too many, or a person said no. */
export function refused(failure: Failure): ToolOutcome {
  return { status: 'refused', failure, result: null }
}

export function cancelled(
  how: Extract<EndingReason, 'stoppedCall' | 'stoppedWhileItRan'>,
  language: AnswerLanguage
): ToolOutcome {
  return { status: 'cancelled', failure: failureOf(how, language), result: null }
}

/** What may be told of an error: those of the catalogue have words for people, everything else has none. */
export function failureFrom(thrown: unknown, language: AnswerLanguage): Failure {
  if (!(thrown instanceof AppError)) return { code: 'INTERNAL', message: errorCatalogue.INTERNAL.message[language] }
  const { en, [language]: own } = errorCatalogue[thrown.code].message
  return { code: thrown.code, message: thrown.message === en ? own : thrown.message }
}
