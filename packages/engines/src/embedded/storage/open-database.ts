import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PortError } from '@oncall-agent/retrieval'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import { checkFingerprint } from './fingerprint.ts'
import { REBUILD_HINT } from './rebuild-hint.ts'
import { APPLICATION_ID, FORMAT_VERSION, FORMATS, PAGE_BYTES } from './schema.ts'
import { insertState, stateReader } from './state.ts'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'

export const INDEX_FILE = 'index.db'

/** Pause between two tries for a lock that SQLite's own busy handler does not wait for. */
const RETRY_MS = 20

/** The log grows to 64 MiB before a commit itself checkpoints; until then the idle writer does it. */
const LOG_PAGES = 16_384
const LOG_BYTES_KEPT = LOG_PAGES * PAGE_BYTES

export interface DatabaseOptions {
  readonly directory: string
  readonly fingerprint: EmbedderFingerprint
  /** How long to wait for another process's write lock. */
  readonly busyTimeoutMs: number
  /** Page cache of the connection. */
  readonly cacheKib: number
  /** Most pages the file may have; a way to bound the disk. Absent means SQLite's own bound. */
  readonly maxPages?: number
}

/**
 * Opens `<directory>/index.db`, and makes it if it is not there or brings it to this format; several processes may do so at
 * once.
 * @throws PortError locked, disk-full, corrupt, newer-format, model-mismatch, unavailable
 */
export function openDatabase(options: DatabaseOptions): DatabaseSync {
  const path = join(options.directory, INDEX_FILE)
  const attempt = { operation: 'open index', subject: path }
  let database: DatabaseSync | undefined
  try {
    mkdirSync(options.directory, { recursive: true })
    database = new DatabaseSync(path, { timeout: options.busyTimeoutMs })
    // Before anything is written: a file of another program, or of a later release, is left as it is.
    checkFormat(database, path)
    configure(database, options)
    bringUpToDate(database, path, options.fingerprint)
    checkFingerprint(stateReader(database)(), options.fingerprint, attempt.operation)
    return database
  } catch (error) {
    database?.close()
    throw sqliteFailure(error, attempt)
  }
}

function configure(database: DatabaseSync, options: DatabaseOptions): void {
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`)
  retryWhileBusy(options.busyTimeoutMs, () => database.exec('PRAGMA journal_mode = WAL'))
  database.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -${options.cacheKib};
    PRAGMA wal_autocheckpoint = ${LOG_PAGES};
    PRAGMA journal_size_limit = ${LOG_BYTES_KEPT};
    PRAGMA temp_store = MEMORY`)
  if (options.maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${options.maxPages}`)
}

function bringUpToDate(database: DatabaseSync, path: string, fingerprint: EmbedderFingerprint): void {
  if (formatOf(database) === FORMAT_VERSION) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have done it while this one waited for the lock, and may be of a later release.
    checkFormat(database, path)
    const before = formatOf(database)
    for (const step of FORMATS.slice(before)) database.exec(step)
    if (before === 0) insertState(database, fingerprint)
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}`)
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** Ends a transaction after an error; SQLite may have ended it itself (disk full, broken file). */
export function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK')
}

/** False for an empty file. @throws PortError corrupt, newer-format */
export function checkFormat(database: DatabaseSync, path: string): boolean {
  const format = formatOf(database)
  const application = pragma(database, 'application_id')
  const attempt = { operation: 'open index', subject: path }
  const tables = Number(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n)
  if (format === 0 && application === 0 && tables === 0) return false
  if (application !== APPLICATION_ID) {
    throw new PortError('corrupt', {
      ...attempt,
      reason: 'the file is a database of something else',
      hint: 'Move this file away, or use another --data folder, and run `oncall index` again.'
    })
  }
  if (format > FORMAT_VERSION) {
    throw new PortError('newer-format', {
      ...attempt,
      reason: `the index has format ${format}, and this release reads up to ${FORMAT_VERSION}`,
      hint: `Use the release that wrote it or a later one, or ${REBUILD_HINT}`
    })
  }
  return true
}

function formatOf(database: DatabaseSync): number {
  return pragma(database, 'user_version')
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
}

/** Changing the journal mode gives up at once when another connection is busy, so it is tried again until the timeout. */
function retryWhileBusy(timeoutMs: number, work: () => void): void {
  const until = performance.now() + timeoutMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}
