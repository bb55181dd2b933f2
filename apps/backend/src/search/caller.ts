import type { ReadablePair } from '@oncall-agent/retrieval'

/** Who asks, and all that they may read. Bound once when the tool or request is made, never a parameter of a query. */
export interface Caller {
  readonly tenantId: string
  readonly userId: string
  readonly readable: readonly ReadablePair[]
}
