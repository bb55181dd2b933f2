import type { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'
import { forEachChunk, keptDatabase, type RivalCorpus } from './rival-corpus.ts'

/**
 * sqlite-vec with float32 rows and the knowledge base as partition key: the fastest of its settings in our runs
 * (its int8 rows are slower than its float rows, and a metadata column does not narrow the scan).
 */
export class SqliteVecRival {
  readonly #database: DatabaseSync

  private constructor(database: DatabaseSync) {
    this.#database = database
  }

  static async open(path: string, corpus: RivalCorpus): Promise<SqliteVecRival> {
    const database = await keptDatabase(path, (empty) => {
      empty.loadExtension(getLoadablePath())
      const { length } = corpus.vector(0)
      empty.exec(`CREATE VIRTUAL TABLE chunk USING vec0(kb TEXT PARTITION KEY, embedding FLOAT[${length}])`)
      const insert = empty.prepare('INSERT INTO chunk (rowid, kb, embedding) VALUES (?, ?, ?)')
      forEachChunk(corpus, (number, slot) => {
        insert.run(BigInt(number), slot.knowledgeBaseId, bytesOf(corpus.vector(number)))
      })
    })
    database.loadExtension(getLoadablePath())
    return new SqliteVecRival(database)
  }

  /** Chunk numbers of the nearest `limit`, nearest first; in one knowledge base or in all. */
  search(vector: Float32Array, limit: number, knowledgeBaseId?: string): readonly number[] {
    const scope = knowledgeBaseId === undefined ? '' : 'AND kb = ?'
    const statement = this.#database.prepare(
      `SELECT rowid FROM chunk WHERE embedding MATCH ? AND k = ? ${scope} ORDER BY distance`
    )
    const scopeValue = knowledgeBaseId === undefined ? [] : [knowledgeBaseId]
    return statement.all(bytesOf(vector), BigInt(limit), ...scopeValue).map((row) => Number(row.rowid))
  }

  close(): void {
    this.#database.close()
  }
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}
