import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PortError } from '@oncall-agent/retrieval'
import { INDEX_FILE, rollBack } from '../storage/open-database.ts'
import { sqliteFailure } from '../storage/sqlite-failure.ts'
import { TABLES } from './tables.ts'

/** Longer than any write of this package holds the lock. */
const BUSY_TIMEOUT_MS = 5_000
/** Page cache of the copy; beyond it pages go to the log. */
const CACHE_KIB = 64 * 1024

/** Nobody else can write to either index between `beginReplacement` and one of these. */
export interface Replacement {
  /** Puts the content of the new index in the place of the old one's, whole. Blocks this thread while it copies. */
  commit(): void
  /** Leaves everything as it was; nothing after `commit`. */
  cancel(): void
}

/**
 * Takes the write lock of an index, to give it the content of another one in one transaction. Readers of every process
 * go on with the old content, and see the new one with their next read; writers wait. A process that dies in between
 * has changed nothing: to SQLite it is a transaction like any other, which renaming the file would not be, because the
 * log beside it belongs to the name.
 * @throws PortError locked, disk-full, corrupt, unavailable; invalid-argument when both have bases of the same number
 */
export function beginReplacement(directory: string, next: string): Replacement {
  const attempt = { operation: 'replace index', subject: join(directory, INDEX_FILE) }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(attempt.subject, { timeout: BUSY_TIMEOUT_MS })
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA foreign_keys = OFF`)
    database.prepare('ATTACH ? AS next').run(join(next, INDEX_FILE))
    database.exec('BEGIN IMMEDIATE')
    checkNumbers(database, attempt)
  } catch (error) {
    if (database !== undefined) end(database)
    throw sqliteFailure(error, attempt)
  }
  const opened = database
  return {
    commit: () => {
      try {
        copy(opened)
        opened.exec('COMMIT')
      } catch (error) {
        throw sqliteFailure(error, attempt)
      } finally {
        end(opened)
      }
    },
    cancel: () => {
      if (opened.isOpen) end(opened)
    }
  }
}

function end(database: DatabaseSync): void {
  rollBack(database)
  database.close()
}

/** Readers keep rows of vectors by number of knowledge base and slot: a number must never mean another base. */
function checkNumbers(database: DatabaseSync, attempt: { operation: string; subject: string }): void {
  const used = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'knowledge_base'").get()
  const first = database.prepare('SELECT min(id) AS id FROM next.knowledge_base').get()
  if (used === undefined || first === undefined || first.id === null || Number(first.id) > Number(used.seq)) return
  throw new PortError('invalid-argument', {
    ...attempt,
    reason: 'both have knowledge bases of the same numbers',
    hint: 'Delete the folder `reindex` in the data folder and run `oncall reindex` again.'
  })
}

function copy(database: DatabaseSync): void {
  const before = database.prepare('SELECT revision, generation FROM state').get()
  // Without a condition SQLite drops the pages of a table as they are, and copies rows without decoding them.
  for (const table of TABLES) database.exec(`DELETE FROM main.${table}`)
  for (const table of TABLES) database.exec(`INSERT INTO main.${table} SELECT * FROM next.${table}`)
  // Inserting knowledge bases raises the sequence to the last of them; spaces of entries have numbers of it as well.
  database.exec(
    `UPDATE main.sqlite_sequence SET seq = max(seq, (SELECT seq FROM next.sqlite_sequence WHERE name = 'knowledge_base'))
     WHERE name = 'knowledge_base'`
  )
  // Both only grow, also for who has seen the old content.
  database
    .prepare('UPDATE state SET revision = max(revision, ?) + 1, generation = max(generation, ?) + 1')
    .run(Number(before?.revision), Number(before?.generation))
}
