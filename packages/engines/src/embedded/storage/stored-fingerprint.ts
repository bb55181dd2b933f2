import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StoredFingerprint } from './fingerprint.ts'
import { checkFormat, INDEX_FILE } from './open-database.ts'
import { sqliteFailure } from './sqlite-failure.ts'
import { stateReader } from './state.ts'

/**
 * The fingerprint that the index of a folder was built with; undefined when there is none. Given to `openEmbeddedIndex`
 * it opens that index whatever the configured embedder is, to list and read what is in it. Nothing is changed.
 * @throws PortError corrupt, newer-format, locked, unavailable
 */
export function storedFingerprint(directory: string): StoredFingerprint | undefined {
  const path = join(directory, INDEX_FILE)
  if (!existsSync(path)) return undefined
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    // An empty file is what a process that died while it made the index leaves.
    if (!checkFormat(database, path)) return undefined
    const { model, dimension, normalised, embedderTokenizer, lexicalTokenizer } = stateReader(database)()
    return { model, dimension, normalised, tokenizerVersion: embedderTokenizer, lexicalTokenizer }
  } catch (error) {
    throw sqliteFailure(error, { operation: 'read index', subject: path })
  } finally {
    database?.close()
  }
}

/** As long as opening an index waits for another process's lock. */
const BUSY_TIMEOUT_MS = 5_000
