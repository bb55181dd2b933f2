import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

/** How long a statement waits for another process's write before it fails, in milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000

/**
 * What a commit waits for. `FULL`: the disk, because facts can not be rebuilt. `NORMAL`: the operating system; a process
 * that is killed loses nothing, a machine that loses power may lose the last commits, whole ones, never a part of one.
 */
export type Durability = 'FULL' | 'NORMAL'

/**
 * Pages of the log (4 KiB each) after which a commit moves them into the file, and waits for the disk: 16 MiB, or every
 * few hundred runs instead of every hundred.
 */
const LOG_PAGES = 4_096

/** Opens the facts, in WAL so that readers never wait. */
export function openConnection(file: string, busyTimeoutMs: number, durability: Durability): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec(`PRAGMA synchronous = ${durability}`)
    connection.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
    connection.exec('PRAGMA foreign_keys = ON')
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

/** Statements that are kept ready; a list of ids makes another text for each length, so the oldest give way. */
const STATEMENTS_KEPT = 200

/**
 * Presents Node's own SQLite in the shape that Kysely's dialect drives. Statements are kept: making one anew took a
 * third of the time that the facts took in all.
 */
export function asKyselyDatabase(connection: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>()
  return {
    prepare: (given) => {
      // SQLite ends a transaction itself when the disk is full or the file is broken. Kysely's rollback after it would
      // fail, and its failure would hide what happened.
      if (given === 'rollback' && !connection.isTransaction) return nothingToDo
      // A transaction that reads first and writes later fails at once, without waiting, when another process wrote in
      // between. All of ours write, so they take the lock when they begin.
      const sql = given === 'begin' ? 'begin immediate' : given
      const statement = kept.get(sql) ?? asKyselyStatement(connection, sql)
      kept.delete(sql)
      kept.set(sql, statement)
      if (kept.size > STATEMENTS_KEPT) kept.delete(kept.keys().next().value!)
      return statement
    },
    close: () => {
      kept.clear()
      connection.close()
    }
  }
}

const nothingToDo: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator]()
}

function asKyselyStatement(connection: DatabaseSync, sql: string): SqliteStatement {
  const statement = connection.prepare(sql)
  return {
    // Node has no `reader` flag; a statement that yields columns is one.
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    // Read on while the same text is asked again: a statement of its own.
    iterate: (parameters) => connection.prepare(sql).iterate(...(parameters as SQLInputValue[]))
  }
}
