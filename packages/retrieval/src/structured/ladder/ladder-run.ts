import type { PortError, StructuredIndex } from '../../ports/index.ts'
import type { StructuredQuestion, StructuredSettings } from '../request/index.ts'
import type { SkipReason, StructuredStage } from './structured-answer.ts'

/** What a search works with. */
export interface LadderParts {
  readonly index: Pick<StructuredIndex, 'match' | 'facets' | 'nearest'>
  readonly settings: StructuredSettings
  /**
   * Vector of a query, of the index's width. Rejects with PortError when the embedder cannot (a deadline of the caller's
   * included); that alone counts as the embedder being down.
   */
  readonly embed: (text: string, signal?: AbortSignal) => Promise<Float32Array>
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
}

/** One search under way. Stages write their lines here, and share one vector. */
export interface LadderRun extends LadderParts {
  readonly question: StructuredQuestion
  readonly signal: AbortSignal | undefined
  readonly stages: StructuredStage[]
  /** Filled by the first stage that asks. */
  queryVector?: QueryVector
}

export type QueryVector =
  | { readonly vector: Float32Array; readonly skipped?: undefined }
  | { readonly vector?: undefined; readonly skipped: SkipReason; readonly failure?: PortError }
