import { createHash } from 'node:crypto'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'

/** Which side of the model a text went through: the same words give other vectors as a query. */
export type EmbeddedSide = 'passage' | 'query'

export interface StoredEmbedding {
  readonly vector: Uint8Array
  readonly tokenVectors: Uint8Array | undefined
  readonly tokenCount: number
}

/** Another process may be writing the same cache; its batches take milliseconds. */
const busyTimeoutMs = 30_000

/**
 * Embeddings kept in one SQLite file, found by side, model and text. What was written stays when the process dies,
 * so that an interrupted evaluation goes on where it stopped.
 */
export class EmbeddingStore {
  readonly #database: DatabaseSync
  readonly #select: StatementSync
  readonly #insert: StatementSync
  readonly #model: string

  /** @param variant what else decides the vectors besides the fingerprint, such as kept token vectors */
  constructor(path: string, fingerprint: EmbedderFingerprint, variant: string) {
    this.#database = new DatabaseSync(path, { timeout: busyTimeoutMs })
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    this.#database.exec(`CREATE TABLE IF NOT EXISTS embedding (
      key BLOB PRIMARY KEY, vector BLOB NOT NULL, token_vectors BLOB, token_count INTEGER NOT NULL
    ) WITHOUT ROWID`)
    this.#select = this.#database.prepare('SELECT vector, token_vectors, token_count FROM embedding WHERE key = ?')
    this.#insert = this.#database.prepare('INSERT OR REPLACE INTO embedding VALUES (?, ?, ?, ?)')
    this.#model = JSON.stringify([
      fingerprint.model,
      fingerprint.dimension,
      fingerprint.normalised,
      fingerprint.tokenizerVersion,
      variant
    ])
  }

  get(side: EmbeddedSide, text: string): StoredEmbedding | undefined {
    const row = this.#select.get(this.#key(side, text))
    if (row === undefined) return undefined
    return {
      vector: row.vector as Uint8Array,
      tokenVectors: (row.token_vectors ?? undefined) as Uint8Array | undefined,
      tokenCount: Number(row.token_count)
    }
  }

  /** Writes one batch in one transaction. */
  put(side: EmbeddedSide, entries: readonly (readonly [text: string, embedding: StoredEmbedding])[]): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      for (const [text, { vector, tokenVectors, tokenCount }] of entries) {
        this.#insert.run(this.#key(side, text), vector, tokenVectors ?? null, tokenCount)
      }
      this.#database.exec('COMMIT')
    } catch (cause) {
      this.#database.exec('ROLLBACK')
      throw cause
    }
  }

  close(): void {
    this.#database.close()
  }

  #key(side: EmbeddedSide, text: string): Uint8Array {
    return createHash('sha256').update(this.#model).update(`\n${side}\n`).update(text).digest()
  }
}
