import { backup, DatabaseSync } from 'node:sqlite'
import { BUSY_TIMEOUT_MS } from '../sqlite-connection.ts'

/** One state of an SQLite file, kept while others go on writing, to be copied. */
export interface Snapshot {
  /** Writes the state to a new file. */
  copyTo(file: string): Promise<void>
  release(): void
}

/** Pages copied before the event loop gets its turn again: 4 MiB. */
const PAGES_AT_ONCE = 1_024

/** Takes the state of a file as it is now: a read transaction of a WAL file sees nothing that is written later. */
export function snapshotOf(file: string): Snapshot {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    connection.exec('BEGIN')
    // A transaction begins to read with its first statement.
    connection.prepare('SELECT count(*) FROM sqlite_schema').get()
  } catch (cause) {
    connection.close()
    throw cause
  }
  return {
    copyTo: async (target) => void (await backup(connection, target, { rate: PAGES_AT_ONCE })),
    release: () => connection.close()
  }
}

/** Calls `take` while nobody can write to the file, so that what it takes of other files belongs to one moment. */
export function whileNobodyWrites<T>(file: string, take: () => T): T {
  const lock = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    lock.exec('BEGIN IMMEDIATE')
    return take()
  } finally {
    lock.close()
  }
}
