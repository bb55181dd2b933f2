import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { ensureKnowledgeBase, type KnowledgeBase, listKnowledgeBases } from './knowledge-bases.ts'
import { migrate } from './migrations/migrate.ts'
import { findRun, insertRun, type StoredRun } from './retrieval-runs.ts'
import type { BusinessSchema } from './schema.ts'
import { asKyselyDatabase, BUSY_TIMEOUT_MS, openConnection } from './sqlite-connection.ts'
import { storeFailure } from './store-failure.ts'

/**
 * The facts of one data folder. Every operation is one statement or one transaction, and throws AppError DATA_LOCKED,
 * STORAGE_FULL, DATA_CORRUPT or SYSTEM_UNAVAILABLE.
 */
export interface BusinessStore {
  ensureKnowledgeBase(tenantId: string, name: string): Promise<KnowledgeBase>
  listKnowledgeBases(tenantId: string): Promise<readonly KnowledgeBase[]>
  /** Stores a run, and forgets those that are older than runs are kept. */
  insertRun(run: StoredRun): Promise<void>
  findRun(tenantId: string, runId: string): Promise<StoredRun | undefined>
  /** Faults that SQLite finds in the file; empty when it is whole. */
  verify(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface BusinessStoreOptions {
  /** How long a statement waits for another process's write, in milliseconds. */
  readonly busyTimeoutMs?: number
}

const FILE = 'business.db'

/**
 * Opens `<directory>/business.db`, makes it when missing, and migrates it.
 * @throws AppError DATA_FORMAT_NEWER, DATA_LOCKED, DATA_CORRUPT, STORAGE_FULL, PATH_UNREADABLE
 */
export function openBusinessStore(
  directory: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: BusinessStoreOptions = {}
): BusinessStore {
  const file = join(directory, FILE)
  const connections = openMigrated(directory, file, busyTimeoutMs)
  const database = kyselyOver(connections.facts)
  const runs = kyselyOver(connections.runs)
  const attempt = async <T>(operation: string, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      throw storeFailure(cause, { operation, subject: file, opening: false })
    }
  }
  return {
    ensureKnowledgeBase: (tenantId, name) =>
      attempt('ensure knowledge base', () => ensureKnowledgeBase(database, tenantId, name)),
    listKnowledgeBases: (tenantId) => attempt('list knowledge bases', () => listKnowledgeBases(database, tenantId)),
    insertRun: (run) => attempt('insert run', () => insertRun(runs, run)),
    findRun: (tenantId, runId) => attempt('find run', () => findRun(database, tenantId, runId)),
    verify: () => attempt('verify business store', () => verify(connections.facts)),
    close: async () => {
      // Kysely closes a connection only once it has used it.
      await Promise.all([database.destroy(), runs.destroy()])
      for (const connection of Object.values(connections)) if (connection.isOpen) connection.close()
    }
  }
}

function kyselyOver(connection: DatabaseSync): Kysely<BusinessSchema> {
  return new Kysely({ dialect: new SqliteDialect({ database: asKyselyDatabase(connection) }) })
}

interface Connections {
  readonly facts: DatabaseSync
  /** A run is written with every retrieval, on the thread that answers: it must not wait for the disk. */
  readonly runs: DatabaseSync
}

function openMigrated(directory: string, file: string, busyTimeoutMs: number): Connections {
  const opened: DatabaseSync[] = []
  try {
    mkdirSync(directory, { recursive: true })
    const facts = openConnection(file, busyTimeoutMs, 'FULL')
    opened.push(facts)
    migrate(facts, file)
    return { facts, runs: openConnection(file, busyTimeoutMs, 'NORMAL') }
  } catch (cause) {
    for (const connection of opened) connection.close()
    throw storeFailure(cause, { operation: 'open business store', subject: file, opening: true })
  }
}

function verify(connection: DatabaseSync): readonly string[] {
  const rows = connection.prepare('PRAGMA integrity_check').all()
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok')
}
