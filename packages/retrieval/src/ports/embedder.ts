/**
 * Text to unit vectors. Guarantees: one vector per text, in order, of `fingerprint.dimension` finite numbers and
 * norm 1; the same text gives the same vector; a text over `maxTokens` is cut there, not refused.
 */
export interface Embedder {
  readonly fingerprint: EmbedderFingerprint
  readonly limits: { readonly maxTokens: number; readonly batchSize: number }
  /** True iff every passage gets token vectors: part of what an index was built with, beside the fingerprint. */
  readonly keepsTokenVectors: boolean
  /** Loads the model; further calls wait for the same load. */
  warm(): Promise<void>
  readonly state: ModelState
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly PassageEmbedding[]>
  embedQuery(text: string, signal?: AbortSignal): Promise<QueryEmbedding>
  close(): Promise<void>
}

/** `failed`: the last load failed, and none has succeeded since; the next call that needs the model tries again. */
export type ModelState = 'cold' | 'warming' | 'warm' | 'failed' | 'closed'

/** Vectors of different fingerprints must never meet in one index. */
export interface EmbedderFingerprint {
  readonly model: string
  readonly dimension: number
  readonly normalised: boolean
  readonly tokenizerVersion: string
}

export interface PassageEmbedding {
  readonly vector: Float32Array
  /** Compact token vectors for late interaction; absent where the model gives none or they are switched off. */
  readonly tokenVectors?: Uint8Array
  readonly tokenCount: number
}

export interface QueryEmbedding {
  readonly vector: Float32Array
  /** Row-major float32 token vectors of the query, opaque to everyone but the reranker of the same model. */
  readonly tokenVectors?: Float32Array
  readonly tokenCount: number
}
