import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RecallHit } from '@oncall-agent/retrieval'
import { chunkIdOf } from '@oncall-agent/retrieval'
import type { PageSlots } from '../storage/page-slots.ts'

/** A scored slot. */
export interface ScoredSlot {
  readonly slots: PageSlots
  /** Within the page. */
  readonly slot: number
  readonly score: number
}

interface DocumentOrder {
  readonly documentId: string
  readonly version: number
  readonly createdAt: number
}

interface RankedSlot {
  readonly document: DocumentOrder
  readonly sequence: number
  readonly score: number
}

/** Orders scored slots as every branch must, and names their chunks. */
export class HitRanking {
  readonly #document: StatementSync

  constructor(database: DatabaseSync) {
    this.#document = database.prepare('SELECT document_id, version, created_at FROM document WHERE id = ?')
    this.#document.setReturnArrays(true)
  }

  /** The best `limit`: by -score, then corpus order (creation of the document, its id, sequence). */
  rank(scored: readonly ScoredSlot[], limit: number): RecallHit[] {
    const best = scored.toSorted((left, right) => right.score - left.score)
    const last = best[Math.min(limit, best.length) - 1]
    if (last === undefined) return []
    // Only what can be among the best, ties of the last one included, is looked up by document.
    const documents = new Map<number, DocumentOrder>()
    const ranked = best
      .filter((candidate) => candidate.score >= last.score)
      .map(({ slots, slot, score }): RankedSlot => {
        const document = this.#read(slots.documents[slot]!, documents)
        return { document, sequence: slots.sequences[slot]!, score }
      })
    return distinct(ranked.toSorted(byScoreThenCorpus)).slice(0, limit)
  }

  #read(row: number, known: Map<number, DocumentOrder>): DocumentOrder {
    const before = known.get(row)
    if (before !== undefined) return before
    const [documentId, version, createdAt] = this.#document.get(row) as unknown as [string, number, number]
    const document = { documentId, version, createdAt }
    known.set(row, document)
    return document
  }
}

function byScoreThenCorpus(left: RankedSlot, right: RankedSlot): number {
  return right.score - left.score || compareDocuments(left.document, right.document) || left.sequence - right.sequence
}

/** Corpus order of documents. */
export function compareDocuments(
  left: Pick<DocumentOrder, 'documentId' | 'createdAt'>,
  right: Pick<DocumentOrder, 'documentId' | 'createdAt'>
): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt
  if (left.documentId === right.documentId) return 0
  return left.documentId < right.documentId ? -1 : 1
}

/** One hit a chunk id: the same document id may stand in two knowledge bases of a scope, and the better one is named. */
function distinct(ranked: readonly RankedSlot[]): RecallHit[] {
  const hits = new Map<string, RecallHit>()
  for (const { document, sequence, score } of ranked) {
    const id = chunkIdOf(document.documentId, sequence)
    if (!hits.has(id)) {
      hits.set(id, { chunkId: id, documentId: document.documentId, documentVersion: document.version, score })
    }
  }
  return [...hits.values()]
}
