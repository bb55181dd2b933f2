import type { Recall } from './recall.ts'
import type { Scope } from './scope.ts'

/**
 * Words. Guarantees of every implementation, proved by its conformance suite:
 * - scores equal BM25L by brute force over the chunks in scope (to 1e-9); text outside the scope moves nothing
 * - order: -score, then corpus order (document creation time, document id, chunk sequence)
 * - a chunk that shares no token with the query is no hit
 * - empty pairs or no tokens: empty, without touching storage
 * - throws PortError; rejects with the signal's reason when it is aborted
 */
export interface LexicalIndex {
  /** @param tokens tokens v1 of the query, duplicates kept */
  search(request: LexicalRequest, signal?: AbortSignal): Promise<Recall>
  /** Exact statistics of the scope for distinct terms; `frequency[i]` belongs to `terms[i]`. */
  statistics(terms: readonly string[], scope: Scope, signal?: AbortSignal): Promise<TermStatistics>
}

export interface LexicalRequest {
  readonly tokens: readonly string[]
  readonly scope: Scope
  readonly limit: number
}

export interface TermStatistics {
  /** Chunks in scope. */
  readonly chunks: number
  /** Mean tokens a chunk, 0 for an empty scope. */
  readonly averageLength: number
  /** Chunks in scope that contain the term. */
  readonly frequency: readonly number[]
}
