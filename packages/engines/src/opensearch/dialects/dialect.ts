import type { EngineAnswer } from '../connection/index.ts'

/** What one engine says otherwise than the other. Everything else is said alike to both. */
export interface Dialect {
  /** As people write it. */
  readonly name: string
  /** The server that gave this answer to `GET /`; null when it is another product, or a version without what is needed. */
  readonly serverOf: (answer: EngineAnswer) => EngineServer | null
  /** What is needed, for the message when it is another. */
  readonly requirement: string
  /** Settings of an index beside those that both take. */
  readonly indexSettings: (server: EngineServer) => Readonly<Record<string, unknown>>
  /** Mapping of the field `vector`: exact float32 values in an HNSW graph, compared by cosine. */
  readonly vectorMapping: (dimension: number) => object
  /** Part of a search's body: the `k` nearest, each with the score (cos + 1) / 2. */
  readonly nearestBody: (nearest: NearestBody) => object
  /** A score script's source: cos + 1 of `params.vector` and the document's, 0 where it has none, never below 0. */
  readonly vectorPartScript: string
}

export interface EngineServer {
  readonly major: number
}

export interface NearestBody {
  readonly vector: readonly number[]
  readonly k: number
  /** `k` or more. */
  readonly candidates: number
  readonly filter: readonly object[]
}

/** BM25 with the contract's constants. */
export function bm25Similarity(type: string): object {
  return { default: { type, k1: 1.2, b: 0.75 } }
}

/** Major version of a number such as "2.19.6"; 0 when it is none. */
export function majorOf(version: unknown): number {
  return typeof version === 'string' ? Number(/^\d+/.exec(version)?.[0] ?? 0) : 0
}
