import type { DatabaseSync } from 'node:sqlite'
import { TOKENIZER_VERSION } from '@oncall-agent/retrieval'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'

/** The one row about the whole index. */
export interface StateRow {
  /** Counts writes of documents; what callers see. */
  readonly revision: number
  /** Counts every change of slots, so also the moves of compaction; caches are keyed by it. */
  readonly generation: number
  readonly model: string
  readonly dimension: number
  readonly normalised: boolean
  readonly embedderTokenizer: string
  readonly lexicalTokenizer: string
}

const READ = `SELECT revision, generation, model, dimension, normalised,
  embedder_tokenizer AS embedderTokenizer, lexical_tokenizer AS lexicalTokenizer FROM state WHERE id = 1`

/** Prepared once a connection; gives the state as the current transaction sees it. */
export function stateReader(database: DatabaseSync): () => StateRow {
  const statement = database.prepare(READ)
  return () => {
    const row = statement.get()
    if (row === undefined) throw new Error('the index has no state row')
    return {
      revision: Number(row.revision),
      generation: Number(row.generation),
      model: String(row.model),
      dimension: Number(row.dimension),
      normalised: row.normalised === 1,
      embedderTokenizer: String(row.embedderTokenizer),
      lexicalTokenizer: String(row.lexicalTokenizer)
    }
  }
}

export function insertState(database: DatabaseSync, fingerprint: EmbedderFingerprint): void {
  database
    .prepare(
      `INSERT INTO state (id, revision, generation, model, dimension, normalised, embedder_tokenizer, lexical_tokenizer)
       VALUES (1, 0, 0, ?, ?, ?, ?, ?)`
    )
    .run(
      fingerprint.model,
      fingerprint.dimension,
      fingerprint.normalised ? 1 : 0,
      fingerprint.tokenizerVersion,
      TOKENIZER_VERSION
    )
}

/** False for a file that has documents from before there were entries: it holds too few of them, and can not search them. */
export function entriesFilledReader(database: DatabaseSync): () => boolean {
  const statement = database.prepare('SELECT entries_filled AS filled FROM state WHERE id = 1')
  return () => statement.get()?.filled === 1
}
