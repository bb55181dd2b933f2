import type { ReadablePair, StructuredRequest, StructuredSettings } from '@oncall-agent/retrieval'

/** One search of the suite. */
export interface SearchCase {
  /** What it is after, for a person who reads a failure. */
  readonly kind: string
  readonly request: StructuredRequest
  readonly pairs: readonly ReadablePair[]
  /** Beside the defaults. */
  readonly settings: Partial<StructuredSettings>
}
