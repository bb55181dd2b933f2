import type { Embedder, KnowledgeIndex, Reranker } from '@oncall-agent/retrieval'
import type { EndedStage } from './stage-log.ts'

/** The engines and models of one retrieval; chosen in compose.ts, known here only by their ports. */
export interface EvidenceParts {
  readonly index: Pick<KnowledgeIndex, 'engine' | 'lexical' | 'vector' | 'chunks'>
  readonly embedder: Embedder
  readonly reranker: Reranker
  readonly limits: EvidenceLimits
  /**
   * Which of these documents were deleted: facts change first, and a hit that the index still has is dropped. Absent
   * where the index alone holds the facts.
   */
  readonly deletedAmong?: (documentIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** Told of every stage as it ends. */
  readonly onStage?: (stage: EndedStage) => void
}

export interface EvidenceLimits {
  /** Hits of each branch, and candidates after fusion; 20 by contract. */
  readonly candidates: number
  /** Bounds in milliseconds: of the whole call, and of each stage inside it. */
  readonly deadlineMs: number
  readonly embedMs: number
  readonly recallMs: number
  readonly rerankMs: number
}
