import { existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '@oncall-agent/api-contracts'
import { Kysely, SqliteDialect } from 'kysely'
import { ensureKnowledgeBase, type KnowledgeBase, listKnowledgeBases } from './knowledge-bases.ts'
import { isCurrent, migrate } from './migrations/migrate.ts'
import { findRun, insertRun, pruneRuns, type StoredRun } from './retrieval-runs.ts'
import type { BusinessSchema } from './schema.ts'
import { asKyselyDatabase, openConnection, openFrozen } from './sqlite-connection.ts'

/** The facts of one data folder. Every operation is one statement or one transaction. */
export interface BusinessStore {
  ensureKnowledgeBase(tenantId: string, name: string): Promise<KnowledgeBase>
  listKnowledgeBases(tenantId: string): Promise<readonly KnowledgeBase[]>
  insertRun(run: StoredRun): Promise<void>
  findRun(tenantId: string, runId: string): Promise<StoredRun | undefined>
  pruneRuns(olderThan: number): Promise<number>
  /** Faults that SQLite finds in the file; empty when it is whole. */
  verify(): Promise<readonly string[]>
  close(): Promise<void>
}

const FILE = 'business.db'

/**
 * Opens `<directory>/business.db`, makes it when missing, and migrates it.
 * @throws AppError DATA_FORMAT_NEWER, DATA_CORRUPT, STORAGE_FULL, PATH_UNREADABLE
 */
export function openBusinessStore(directory: string): BusinessStore {
  const file = join(directory, FILE)
  const connection = openMigrated(directory, file)
  const database = new Kysely<BusinessSchema>({
    dialect: new SqliteDialect({ database: asKyselyDatabase(connection) })
  })
  return {
    ensureKnowledgeBase: (tenantId, name) => ensureKnowledgeBase(database, tenantId, name),
    listKnowledgeBases: (tenantId) => listKnowledgeBases(database, tenantId),
    insertRun: (run) => insertRun(database, run),
    findRun: (tenantId, runId) => findRun(database, tenantId, runId),
    pruneRuns: (olderThan) => pruneRuns(database, olderThan),
    verify: async () => verify(connection),
    close: async () => {
      // Kysely closes a connection only once it has used it.
      await database.destroy()
      if (connection.isOpen) connection.close()
    }
  }
}

function openMigrated(directory: string, file: string): DatabaseSync {
  try {
    mkdirSync(directory, { recursive: true })
    const connection = openConnection(file)
    try {
      migrate(connection, file)
      return connection
    } catch (cause) {
      connection.close()
      throw cause
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    if (!isFull(directory)) throw storeFailure(cause, file)
    return (
      openOnFullDisk(file) ??
      raise(new AppError('STORAGE_FULL', { ...OPENING, subject: file, cause, hint: FREE_SPACE }))
    )
  }
}

/**
 * A disk without a free byte has no room for SQLite's shared memory file either, and it is then that someone asks
 * what to do about a full disk. The facts are read as they lie there; undefined when the last writes are still in
 * the log beside the file, for then they can not be read whole without writing.
 */
function openOnFullDisk(file: string): DatabaseSync | undefined {
  const log = `${file}-wal`
  if (!existsSync(file) || (existsSync(log) && statSync(log).size > 0)) return undefined
  const connection = openFrozen(file)
  if (isCurrent(connection)) return connection
  connection.close()
  return undefined
}

function isFull(directory: string): boolean {
  return existsSync(directory) && statfsSync(directory).bavail === 0
}

function raise(error: Error): never {
  throw error
}

function verify(connection: DatabaseSync): readonly string[] {
  const rows = connection.prepare('PRAGMA integrity_check').all()
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok')
}

/** SQLite's primary result codes that mean something to a person. */
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_NOTADB = 26

const OPENING = { operation: 'open business store' }
const FREE_SPACE = 'Free some space on the disk of the data folder, then try again.'

function storeFailure(cause: unknown, file: string): AppError {
  const context = { ...OPENING, subject: file, cause }
  const code = typeof cause === 'object' && cause !== null && 'errcode' in cause ? Number(cause.errcode) & 0xff : 0
  const systemCode = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  if (code === SQLITE_FULL || systemCode === 'ENOSPC') {
    return new AppError('STORAGE_FULL', { ...context, hint: FREE_SPACE })
  }
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) {
    return new AppError('DATA_CORRUPT', { ...context, message: `${file} is damaged or not a database.` })
  }
  return new AppError('PATH_UNREADABLE', { ...context, message: `The data folder can not be used: ${file}` })
}
