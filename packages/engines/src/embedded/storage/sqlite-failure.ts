import { PortError } from '@oncall-agent/retrieval'
import type { PortFailure } from '@oncall-agent/retrieval'
import { REBUILD_HINT } from './rebuild-hint.ts'

/** Primary result codes of SQLite (the low byte of the extended code). */
const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26
/** Extended code: a read came back shorter than the page, so the file ends too early. */
const SHORT_READ = 522
/** Extended code: the index of the log could not be made larger, which only a full disk does. */
const NO_ROOM_FOR_LOG_INDEX = 4874

const HINTS: Partial<Record<PortFailure, string>> = {
  locked: 'Another process is writing to the index. Try again, or stop the other process.',
  'disk-full': 'Free some space on the disk of the data folder, then try again. What was there before is untouched.',
  corrupt: `Restore the index from a backup, or ${REBUILD_HINT}`,
  unavailable: 'Check that the data folder exists and that this user may write to it.'
}

/** What was tried, on what: the frame of every error of this package. */
export interface Attempt {
  readonly operation: string
  readonly subject: string
}

/** A `PortError` for whatever SQLite threw; a `PortError` passes through. */
export function sqliteFailure(error: unknown, attempt: Attempt): PortError {
  if (error instanceof PortError) return error
  const failure = failureOf(error)
  const reason = error instanceof Error ? error.message : String(error)
  return new PortError(failure, { ...attempt, reason, hint: HINTS[failure] ?? '', cause: error })
}

/** True when another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return failureOf(error) === 'locked'
}

function failureOf(error: unknown): PortFailure {
  const code = sqliteCode(error)
  if (code === undefined) return 'unavailable'
  const primary = code & 0xff
  if (primary === BUSY || primary === LOCKED) return 'locked'
  if (primary === FULL || code === NO_ROOM_FOR_LOG_INDEX) return 'disk-full'
  if (primary === CORRUPT || primary === NOT_A_DATABASE || code === SHORT_READ) return 'corrupt'
  return 'unavailable'
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}
