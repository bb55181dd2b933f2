import type { StoredChunk } from '@oncall-agent/retrieval'

/** A chunk on its way through the stages; a stage that did not return it leaves null. */
export interface Candidate {
  readonly chunk: StoredChunk
  readonly vectorRank: number | null
  readonly vectorScore: number | null
  readonly bm25Rank: number | null
  readonly bm25Score: number | null
  readonly rrfRank: number
  readonly rrfScore: number
}

/** A candidate after the reranker; null ranks are those beyond what it was asked for. */
export interface RankedCandidate extends Candidate {
  readonly rerankRank: number | null
  readonly rerankScore: number | null
  /** What the score is made of, when the reranker can take it apart. */
  readonly rerankParts: Readonly<Record<string, number>> | null
}
