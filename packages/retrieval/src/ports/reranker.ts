import type { Metadata } from './scope.ts'
import type { QueryEmbedding } from './embedder.ts'
import type { TermStatistics } from './lexical-index.ts'

/**
 * Scores pairs of query and candidate. Guarantees: at most `topN` scores, indexes unique and within the candidates,
 * scores finite in 0..1, best first, equal scores in candidate order. An implementation's answer is checked all the same.
 */
export interface Reranker {
  readonly name: string
  /** What it reads from the index besides the text; nothing else is fetched for it. */
  readonly needs: { readonly vectors: boolean; readonly tokenVectors: boolean; readonly statistics: boolean }
  rerank(request: RerankRequest, signal?: AbortSignal): Promise<readonly RerankScore[]>
}

export interface RerankRequest {
  readonly query: string
  readonly queryEmbedding: QueryEmbedding
  /** In fused order. */
  readonly candidates: readonly RerankCandidate[]
  readonly topN: number
  /** Exact statistics of the caller's scope; call it once with all terms. Present when `needs.statistics`. */
  readonly statistics?: (terms: readonly string[]) => Promise<TermStatistics>
}

export interface RerankCandidate {
  readonly chunkId: string
  readonly title: string
  readonly headingPath: readonly string[]
  readonly content: string
  readonly tokenCount: number
  readonly metadata: Metadata
  readonly vector?: Float32Array
  readonly tokenVectors?: Uint8Array
}

export interface RerankScore {
  readonly index: number
  /** 0..1, a probability of relevance where the model is calibrated. */
  readonly score: number
  /** Named contributions that add up to the raw score; for the run record. */
  readonly parts?: Readonly<Record<string, number>>
}
