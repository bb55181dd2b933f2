import { AppError, type ErrorCode } from '@oncall-agent/api-contracts'

/** SQLite's primary result codes (the low byte of the extended code) that mean something to a person. */
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_NOTADB = 26
/** Extended: no room for the shared memory beside the file, which only a full disk causes. */
const SQLITE_IOERR_SHMSIZE = 4874

/** What was tried, and on which file or folder. */
export interface StoreAttempt {
  readonly operation: string
  readonly subject: string
  /** A path that cannot be opened is the operator's to mend; one that fails later is an outage. */
  readonly opening: boolean
}

/**
 * The catalogue's error for whatever SQLite or the file system threw: DATA_LOCKED, STORAGE_FULL, DATA_CORRUPT, else
 * PATH_UNREADABLE when opening and SYSTEM_UNAVAILABLE later. An AppError passes through. Only an error of opening names
 * the path: a later one may reach a caller over HTTP.
 */
export function storeFailure(cause: unknown, { operation, subject, opening }: StoreAttempt): AppError {
  if (cause instanceof AppError) return cause
  const context = { operation, subject, cause }
  switch (codeOf(cause, opening)) {
    case 'DATA_LOCKED':
      return new AppError('DATA_LOCKED', {
        ...context,
        message: 'Another process is writing to this data folder.',
        hint: 'Try again when it has finished.'
      })
    case 'STORAGE_FULL':
      return new AppError('STORAGE_FULL', { ...context, hint: 'Free some space, then try again.' })
    case 'DATA_CORRUPT':
      return new AppError('DATA_CORRUPT', {
        ...context,
        ...(opening ? { message: `${subject} is damaged or not a database.` } : {})
      })
    case 'PATH_UNREADABLE':
      return new AppError('PATH_UNREADABLE', { ...context, message: `The data folder cannot be used: ${subject}` })
    default:
      return new AppError('SYSTEM_UNAVAILABLE', context)
  }
}

function codeOf(cause: unknown, opening: boolean): ErrorCode {
  const { errcode = 0, code } = Object(cause) as { readonly errcode?: number; readonly code?: string }
  const primary = errcode & 0xff
  if (primary === SQLITE_BUSY || primary === SQLITE_LOCKED) return 'DATA_LOCKED'
  if (primary === SQLITE_FULL || errcode === SQLITE_IOERR_SHMSIZE || code === 'ENOSPC') return 'STORAGE_FULL'
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB) return 'DATA_CORRUPT'
  return opening ? 'PATH_UNREADABLE' : 'SYSTEM_UNAVAILABLE'
}
