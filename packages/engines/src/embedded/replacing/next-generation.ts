import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import { MAX_SPACES } from '../storage/keys.ts'
import { INDEX_FILE, openDatabase } from '../storage/open-database.ts'
import { sqliteFailure } from '../storage/sqlite-failure.ts'
import { entriesFilledReader } from '../storage/state.ts'
import { TABLES } from './tables.ts'

/**
 * Numbers that are left free for the knowledge bases which the old index gets while the new one is made: one with entries a
 * minute for a day. 170 rebuilds fit into the range of the numbers.
 */
const NUMBERS_LEFT_FREE = 3_072
const CACHE_KIB = 1_024
const BUSY_TIMEOUT_MS = 5_000

export interface NextGeneration {
  /** Of the index that is going to be replaced. */
  readonly directory: string
  /** Where the new one is made; one that is there already is taken up as it is, if its documents have their entries. */
  readonly next: string
  readonly fingerprint: EmbedderFingerprint
}

/**
 * Makes the empty index that is going to take the place of another one. Its knowledge bases get numbers that the other
 * never had: readers that have both before them, one after the other, keep what they know by these numbers.
 * @throws PortError as `openEmbeddedIndex` does, for both
 */
export function createNextGeneration({ directory, next, fingerprint }: NextGeneration): void {
  const made = openDatabase({ directory: next, fingerprint, cacheKib: CACHE_KIB, busyTimeoutMs: BUSY_TIMEOUT_MS })
  const old = join(directory, INDEX_FILE)
  try {
    made.prepare('ATTACH ? AS old').run(old)
    made.exec('BEGIN IMMEDIATE')
    const isNew = made.prepare("SELECT 1 FROM sqlite_sequence WHERE name = 'knowledge_base'").get() === undefined
    if (isNew) {
      const last = made.prepare("SELECT max(seq) AS seq FROM old.sqlite_sequence WHERE name = 'knowledge_base'").get()
      const from = Number(last?.seq ?? 0) + NUMBERS_LEFT_FREE
      // Beyond the range they begin anew; a rebuild that meets numbers in use is refused when it is put in place.
      made
        .prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('knowledge_base', ?)")
        .run(from < MAX_SPACES - NUMBERS_LEFT_FREE ? from : 0)
    }
    if (!entriesFilledReader(made)()) empty(made)
    made.exec('COMMIT')
  } catch (error) {
    throw sqliteFailure(error, { operation: 'make index', subject: next })
  } finally {
    made.close()
  }
}

/** An earlier release began it, and wrote documents without entries: they are all made again. */
function empty(made: DatabaseSync): void {
  for (const table of TABLES.toReversed()) if (table !== 'state') made.exec(`DELETE FROM main.${table}`)
  made.exec('UPDATE main.state SET entries_filled = 1')
}
