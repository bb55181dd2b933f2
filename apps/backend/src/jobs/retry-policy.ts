import { AppError, type ErrorCode, errorCatalogue, type Failure } from '@oncall-agent/api-contracts'
import { translatePortError } from '../observability/index.ts'

/**
 * `final`: the work itself is at fault, and another attempt would find the same. `later`: something around it is, which
 * ends by itself or is mended by whoever runs the process. That holds for INDEX_MODEL_MISMATCH and the other operator's
 * errors too: one wrong setting must not end every queued upload for good, and an attempt that fails on it costs nothing.
 */
const retried: Readonly<Record<ErrorCode, 'later' | 'final'>> = {
  VALIDATION_FAILED: 'final',
  AUTH_REQUIRED: 'final',
  AUTH_FORBIDDEN: 'final',
  NOT_FOUND: 'final',
  METHOD_NOT_ALLOWED: 'final',
  CONFLICT: 'final',
  DATA_LOCKED: 'later',
  PAYLOAD_TOO_LARGE: 'final',
  UNSUPPORTED_MEDIA_TYPE: 'final',
  DOCUMENT_UNREADABLE: 'final',
  PATH_UNREADABLE: 'final',
  NOTHING_TO_INDEX: 'final',
  RATE_LIMITED: 'later',
  CANCELLED: 'later',
  LIMIT_REACHED: 'later',
  INTERNAL: 'later',
  CONFIG_INVALID: 'later',
  DATA_FORMAT_NEWER: 'later',
  DATA_CORRUPT: 'later',
  STORAGE_FULL: 'later',
  INDEX_MODEL_MISMATCH: 'later',
  SYSTEM_UNAVAILABLE: 'later'
}

/** Longer reasons say no more to a person, and a task's row is read with every list. */
const REASON_LIMIT = 500

/** What went wrong in an attempt, as a person may read it. */
export interface Fault {
  readonly failure: Failure
  readonly retryable: boolean
  /** Where waiting mends nothing, or more than usual; the worker's own when absent. */
  readonly backOff?: BackOff
}

/** An error's own words are shown only when it is of the catalogue: others may name hosts, keys or people. */
export function faultOf(thrown: unknown): Fault {
  const error = translatePortError(thrown)
  if (!(error instanceof AppError)) return { failure: unknownFailure, retryable: true }
  // One line of a list, whatever a document's name or an engine put into it.
  const message = error.message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, REASON_LIMIT)
    .toWellFormed()
  return { failure: { code: error.code, message }, retryable: retried[error.code] === 'later' }
}

const unknownFailure: Failure = { code: 'INTERNAL', message: errorCatalogue.INTERNAL.message.en }

/**
 * Of an attempt whose lease ran out: the process was killed, or it stalled. The lease was a wait already, and the new
 * process is there: only a job that kills each of them needs to be slowed down.
 */
export const interrupted: Fault = {
  failure: { code: 'INTERNAL', message: 'The process that worked on it ended before the work did.' },
  retryable: true,
  backOff: { firstMs: 100, factor: 3, limitMs: 10_000 }
}

/** How long a job waits before its next attempt, in milliseconds. */
export interface BackOff {
  readonly firstMs: number
  readonly factor: number
  readonly limitMs: number
}

/**
 * Eight attempts (the default) span about half an hour, which is an outage of a dependency that somebody sees to, and no
 * wait is longer than a person would sit before a task list.
 */
export const defaultBackOff: BackOff = { firstMs: 1_000, factor: 6, limitMs: 600_000 }

/**
 * firstMs · factor^(attempt − 1), at most limitMs, of which a random half is taken off, so that jobs which failed
 * together do not come back together.
 * @param attempt the one that failed, from 1
 * @param random in [0, 1)
 */
export function waitAfter(attempt: number, { firstMs, factor, limitMs }: BackOff, random: number): number {
  const whole = Math.min(limitMs, firstMs * factor ** (attempt - 1))
  return Math.round(whole * (1 - random / 2))
}
