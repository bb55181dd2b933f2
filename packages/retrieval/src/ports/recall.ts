/** One branch's answer: best first, at most `limit` hits, never two of one chunk. */
export interface Recall {
  readonly hits: readonly RecallHit[]
  /** Counter of the index's writes that this answer saw. */
  readonly revision: number
}

export interface RecallHit {
  readonly chunkId: string
  readonly documentId: string
  /** The document's version that the score belongs to; branches that saw different ones must be asked again. */
  readonly documentVersion: number
  readonly score: number
}
