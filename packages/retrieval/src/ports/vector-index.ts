import type { Recall } from './recall.ts'
import type { Scope } from './scope.ts'

/**
 * Meanings. Guarantees:
 * - `exact` capability: the true top `limit` by cosine in scope; score = cosine in -1..1
 * - order: -score, then corpus order
 * - empty pairs: empty, without touching storage
 * - a query of another width, or not finite: PortError `invalid-argument`
 */
export interface VectorIndex {
  readonly capabilities: { readonly exact: boolean }
  search(request: VectorRequest, signal?: AbortSignal): Promise<Recall>
}

export interface VectorRequest {
  /** Unit vector. */
  readonly vector: Float32Array
  readonly scope: Scope
  readonly limit: number
}
