import type { DatabaseSync } from 'node:sqlite'
import { bm25lScores, tokenize, topScores } from '@oncall-agent/retrieval'
import { forEachChunk, keptDatabase, type RivalCorpus } from './rival-corpus.ts'

/**
 * Two rivals over one file: SQLite's FTS5 over the same tokens, filtered by knowledge base, and reading all chunks of
 * the scope, tokenising and scoring them for each query, which is what exact BM25L in a scope costs without an index.
 */
export class Fts5Rival {
  readonly #database: DatabaseSync

  private constructor(database: DatabaseSync) {
    this.#database = database
  }

  static async open(path: string, corpus: RivalCorpus): Promise<Fts5Rival> {
    const database = await keptDatabase(path, (empty) => {
      empty.exec(`
        CREATE TABLE chunk (id INTEGER PRIMARY KEY, kb TEXT NOT NULL, text TEXT NOT NULL);
        CREATE VIRTUAL TABLE word USING fts5(body, content='', tokenize="unicode61 tokenchars '._:/-'")`)
      const chunk = empty.prepare('INSERT INTO chunk VALUES (?, ?, ?)')
      const word = empty.prepare('INSERT INTO word (rowid, body) VALUES (?, ?)')
      forEachChunk(corpus, (number, slot) => {
        const text = corpus.text(number)
        chunk.run(number, slot.knowledgeBaseId, text)
        word.run(number, tokenize(text).join(' '))
      })
      empty.exec(`INSERT INTO word (word) VALUES ('optimize'); CREATE INDEX chunk_kb ON chunk (kb)`)
    })
    return new Fts5Rival(database)
  }

  /** Chunk numbers by FTS5's bm25, best first, of the knowledge bases. */
  search(tokens: readonly string[], limit: number, knowledgeBaseIds: readonly string[]): readonly number[] {
    const match = [...new Set(tokens)].map((token) => `"${token}"`).join(' OR ')
    const statement = this.#database.prepare(
      `SELECT word.rowid AS id FROM word JOIN chunk ON chunk.id = word.rowid
       WHERE word MATCH ? AND chunk.kb IN (${knowledgeBaseIds.map(() => '?').join(', ')})
       ORDER BY bm25(word) LIMIT ?`
    )
    return statement.all(match, ...knowledgeBaseIds, limit).map((row) => Number(row.id))
  }

  /** Chunk numbers by BM25L, best first, from the scope's texts alone. */
  enumerate(tokens: readonly string[], limit: number, knowledgeBaseId: string): readonly number[] {
    const rows = this.#database.prepare('SELECT id, text FROM chunk WHERE kb = ? ORDER BY id').all(knowledgeBaseId)
    const documents = rows.map((row) => tokenize(String(row.text)))
    const best = topScores(bm25lScores(tokens, documents), limit)
    return best.map((index) => Number(rows[index]!.id))
  }

  close(): void {
    this.#database.close()
  }
}
