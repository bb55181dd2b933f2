import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '@oncall-agent/api-contracts'
import { Kysely, SqliteDialect } from 'kysely'
import { ensureKnowledgeBase, type KnowledgeBase, listKnowledgeBases } from './knowledge-bases.ts'
import { migrate } from './migrations/migrate.ts'
import { findRun, insertRun, pruneRuns, type StoredRun } from './retrieval-runs.ts'
import type { BusinessSchema } from './schema.ts'
import { asKyselyDatabase, openConnection } from './sqlite-connection.ts'

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
    throw cause instanceof AppError ? cause : storeFailure(cause, file)
  }
}

function verify(connection: DatabaseSync): readonly string[] {
  const rows = connection.prepare('PRAGMA integrity_check').all()
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok')
}

/** SQLite's primary result codes that mean something to a person. */
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_NOTADB = 26
/** Extended: no room for the shared memory beside the file, which only a full disk causes. */
const SQLITE_IOERR_SHMSIZE = 4874

function storeFailure(cause: unknown, file: string): AppError {
  const context = { operation: 'open business store', subject: file, cause }
  const errcode = typeof cause === 'object' && cause !== null && 'errcode' in cause ? Number(cause.errcode) : 0
  const code = errcode & 0xff
  const systemCode = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  if (code === SQLITE_FULL || errcode === SQLITE_IOERR_SHMSIZE || systemCode === 'ENOSPC') {
    return new AppError('STORAGE_FULL', { ...context, hint: 'Free some space, then try again.' })
  }
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) {
    return new AppError('DATA_CORRUPT', { ...context, message: `${file} is damaged or not a database.` })
  }
  return new AppError('PATH_UNREADABLE', { ...context, message: `The data folder can not be used: ${file}` })
}
