import type { DatabaseSync } from 'node:sqlite'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import { checkFingerprint } from '../storage/fingerprint.ts'
import type { SameFileCheck } from '../storage/same-file.ts'
import { rollBack } from '../storage/open-database.ts'
import { sqliteFailure } from '../storage/sqlite-failure.ts'
import { stateReader } from '../storage/state.ts'
import type { StateRow } from '../storage/state.ts'

export interface ReadAttempt {
  readonly operation: string
  readonly subject: string
}

/** Runs one call's reads on one snapshot of the file, after checking that the index is still the embedder's. */
export type ReadTransaction = <T>(attempt: ReadAttempt, work: (state: StateRow) => T) => T

export function readTransaction(
  database: DatabaseSync,
  fingerprint: EmbedderFingerprint,
  checkFile: SameFileCheck
): ReadTransaction {
  const readState = stateReader(database)
  const begin = database.prepare('BEGIN')
  const commit = database.prepare('COMMIT')
  return (attempt, work) => {
    try {
      checkFile()
      begin.run()
      // The first read fixes the snapshot, for this process and against every other one.
      const state = readState()
      checkFingerprint(state, fingerprint, attempt.operation)
      const result = work(state)
      commit.run()
      return result
    } catch (error) {
      rollBack(database)
      throw error instanceof StopReading ? error : sqliteFailure(error, attempt)
    }
  }
}

/** Thrown at a block border of a read whose caller has gone. */
export class StopReading extends Error {
  override readonly name = 'StopReading'
}

/** Throws `StopReading` once the caller has aborted. */
export type StopCheck = () => void
