import type { DatabaseSync } from 'node:sqlite'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import { checkFingerprint } from '../storage/fingerprint.ts'
import { rollBack } from '../storage/open-database.ts'
import { sqliteFailure } from '../storage/sqlite-failure.ts'
import type { Attempt } from '../storage/sqlite-failure.ts'
import { stateReader } from '../storage/state.ts'

/** `document` counts for callers; `layout` only moves things about. */
export type ChangeKind = 'document' | 'layout'

/**
 * Runs `work` under the write lock and commits, or leaves everything as it was.
 * `work` gets the generation that its changes carry, and tells whether it changed any slots; so does the answer.
 */
export type WriteTransaction = (attempt: Attempt, kind: ChangeKind, work: (generation: number) => boolean) => boolean

export function writeTransaction(database: DatabaseSync, fingerprint: EmbedderFingerprint): WriteTransaction {
  const readState = stateReader(database)
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const advance = database.prepare('UPDATE state SET revision = ?, generation = ? WHERE id = 1')
  return (attempt, kind, work) => {
    try {
      begin.run()
      const state = readState()
      checkFingerprint(state, fingerprint, attempt.operation)
      const generation = state.generation + 1
      const changed = work(generation)
      if (changed) advance.run(state.revision + (kind === 'document' ? 1 : 0), generation)
      commit.run()
      return changed
    } catch (error) {
      rollBack(database)
      throw sqliteFailure(error, attempt)
    }
  }
}
