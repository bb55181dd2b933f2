import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate } from './migrations/migrate.ts'
import { type RunFacts, runFacts } from './retrieval-runs.ts'
import type { BusinessSchema } from './schema.ts'
import { type SearchFacts, searchFacts } from './searches.ts'
import { asKyselyDatabase, BUSY_TIMEOUT_MS, openConnection } from './sqlite-connection.ts'
import { guardOperations } from './guard-operations.ts'
import { storeFailure } from './store-failure.ts'
import { type BusinessTables, businessTables } from './tables.ts'
import { type ToolCallFacts, toolCallFacts } from './tool-calls.ts'

/**
 * The facts of one data folder. Every operation throws AppError DATA_LOCKED, STORAGE_FULL, DATA_CORRUPT or
 * SYSTEM_UNAVAILABLE.
 */
export interface BusinessStore extends BusinessTables {
  readonly runs: RunFacts
  readonly searches: SearchFacts
  readonly toolCalls: ToolCallFacts
  /**
   * Does several operations as one: all are committed, or, when `work` rejects, none. Nothing else is done with the
   * facts meanwhile, so `work` waits for nothing but the tables that it is given.
   */
  transaction<T>(work: (tables: BusinessTables) => Promise<T>): Promise<T>
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
  const whole = {
    verify: async () => verify(connections.facts)
  }
  const transaction = (work: (tables: BusinessTables) => Promise<unknown>) =>
    database.transaction().execute((open) => work(guardedTables(open, file)))
  return {
    ...guardedTables(database, file),
    runs: guardOperations('runs', runFacts(runs, database), file),
    searches: guardOperations('searches', searchFacts(runs, database), file),
    toolCalls: guardOperations('tool calls', toolCallFacts(runs, database), file),
    ...guardOperations('business store', whole, file),
    transaction: <T>(work: (tables: BusinessTables) => Promise<T>) => transact(transaction, work, file),
    close: async () => {
      // Kysely closes a connection only once it has used it.
      await Promise.all([database.destroy(), runs.destroy()])
      for (const connection of Object.values(connections)) if (connection.isOpen) connection.close()
    }
  }
}

type Transaction = (work: (tables: BusinessTables) => Promise<unknown>) => Promise<unknown>

/** What `work` throws comes out as it is: a fault of the caller's is no outage of the store. */
async function transact<T>(
  transaction: Transaction,
  work: (tables: BusinessTables) => Promise<T>,
  file: string
): Promise<T> {
  const attempt: { thrown?: { readonly cause: unknown } } = {}
  try {
    return (await transaction((tables) =>
      work(tables).catch((cause: unknown) => {
        attempt.thrown = { cause }
        throw cause
      })
    )) as T
  } catch (cause) {
    if (attempt.thrown?.cause === cause) throw cause
    throw storeFailure(cause, { operation: 'business store: transaction', subject: file, opening: false })
  }
}

function guardedTables(database: Kysely<BusinessSchema>, file: string): BusinessTables {
  const tables = Object.entries(businessTables(database))
  return Object.fromEntries(
    tables.map(([about, operations]: [string, object]) => [about, guardOperations(about, operations, file)])
  ) as unknown as BusinessTables
}

function kyselyOver(connection: DatabaseSync): Kysely<BusinessSchema> {
  return new Kysely({ dialect: new SqliteDialect({ database: asKyselyDatabase(connection) }) })
}

interface Connections {
  readonly facts: DatabaseSync
  /** Runs, searches and calls of tools are written with every answer, on the thread that gives it, and wait for no disk. */
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
