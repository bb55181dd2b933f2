import type { FacetBucket, PortError, StructuredHit } from '../../ports/index.ts'
import type { LadderStage, SearchStatus } from './transitions.ts'

/** An answer of contract 2 before it gets a search id; the values are the contract's own. */
export interface StructuredAnswer {
  readonly status: SearchStatus
  /** Documents that match, whatever the page; of `vector_only`, those found. */
  readonly total: number
  readonly hits: readonly StructuredHit[]
  /** With `too_many` only. */
  readonly facets?: Readonly<Record<FacetName, readonly FacetBucket[]>>
  /** With `facets`: values of documents beyond its buckets. */
  readonly facetsTruncated?: Readonly<Record<FacetName, number>>
  /** With `loose_hit` and `vector_only`. */
  readonly banner?: string
  readonly stages: readonly StructuredStage[]
  /** Why the query has no vector: for the caller to log and count once. The answer stands without it. */
  readonly embedderFailure?: PortError
}

export const FACET_NAMES = ['project', 'equipment', 'error_codes'] as const
export type FacetName = (typeof FACET_NAMES)[number]

/** Why a stage, or the rescoring within it, did not run. */
export type SkipReason = 'embedder_down' | 'no_query_text' | 'nothing_to_embed' | 'weight_is_zero'

/** What one stage did, in the order in which they ran. */
export interface StructuredStage {
  readonly name: LadderStage | 'embed' | 'facets'
  /** `empty`: ran and found nothing. `failed` is of `embed` alone; any other failure is an error, not an answer. */
  readonly status: 'ok' | 'empty' | 'skipped' | 'failed'
  /** Documents that the stage found; of `embed` and `facets`, vectors and values. */
  readonly found: number
  readonly tookMs: number
  /** Of `strict` and `loose`. */
  readonly rescore?: 'done' | 'skipped'
  /** With anything skipped. */
  readonly reason?: SkipReason
}
