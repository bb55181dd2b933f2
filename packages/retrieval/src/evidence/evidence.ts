import type { Metadata } from '../ports/index.ts'

/** The stages of evidence retrieval, each named by its verb or branch. */
export type StageName = 'embed' | 'vector' | 'lexical' | 'fuse' | 'rerank'

/** `empty`: ran and found nothing. `skipped`: there was nothing to run on. */
export type StageStatus = 'ok' | 'empty' | 'skipped' | 'failed'

/** What one stage did; the same in an answer and in an error. */
export interface StageTrace {
  readonly name: StageName
  readonly status: StageStatus
  readonly engine: string
  /** How many items it gave to the next stage. */
  readonly candidates: number
  readonly tookMs: number
}

/** Rank (from 1) and score of each stage; null, never 0, where the stage did not return the chunk. */
export interface StageScores {
  /** What the results are sorted by: equal to `rerankScore`. */
  readonly score: number
  readonly vectorRank: number | null
  readonly bm25Rank: number | null
  readonly rerankRank: number | null
  /** Cosine, -1..1. */
  readonly vectorScore: number | null
  /** BM25L, above 0. */
  readonly bm25Score: number | null
  readonly rrfScore: number | null
  /** 0..1. */
  readonly rerankScore: number | null
}

/** One piece of evidence: a whole chunk and how it was found. */
export interface EvidenceHit extends StageScores {
  readonly chunkId: string
  readonly documentId: string
  readonly knowledgeBaseId: string
  readonly ownerUserId: string
  readonly tenantId: string
  readonly content: string
  readonly source: string
  readonly metadata: Metadata
}

/** What a reader is shown for a hit. */
export interface Citation extends StageScores {
  /** The hit's chunk id. */
  readonly id: string
  /** The hit's source, or its document's id where that is empty. */
  readonly title: string
  readonly sourceType: 'knowledge-base'
  /** The beginning of the content, at most `EXCERPT_LIMIT` UTF-16 units, ending with a whole grapheme. */
  readonly excerpt: string
  readonly documentId: string
  readonly knowledgeBaseId: string
  /** The headings above the chunk, outermost first. */
  readonly headingPath: readonly string[]
  /** Span of the chunk in the document's text, UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** A whole answer; `citations[i]` belongs to `results[i]`. */
export interface EvidenceAnswer {
  readonly query: string
  readonly topK: number
  readonly results: readonly EvidenceHit[]
  readonly citations: readonly Citation[]
  readonly stages: readonly StageTrace[]
  /** Names the stored record of this run; null when the record could not be stored, for then it would name nothing. */
  readonly runId: string | null
}
