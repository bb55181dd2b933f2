import type { Metadata } from './scope.ts'

/** A document as an index knows it. `tenantId` is the owner's id (a tenant is the owner of its data). */
export interface IndexedDocument {
  readonly documentId: string
  readonly knowledgeBaseId: string
  readonly tenantId: string
  readonly ownerUserId: string
  /** Grows with each replacement; every chunk of one read carries the same one. */
  readonly version: number
  readonly title: string
  /** Where a person finds it: a path or an address. May be empty. */
  readonly source: string
  /** Milliseconds since the epoch; with the id it gives the corpus order, which replacement keeps. */
  readonly createdAt: number
  /** SHA-256 of the document's bytes, and of what else decides its chunks; equal means nothing to do. */
  readonly contentHash: string
  readonly metadata: Metadata
}

/** One chunk to be published with its document. */
export interface ChunkToPublish {
  /** Position in the document from 0; the chunk's id is `<documentId>#<4+ digit sequence>`. */
  readonly sequence: number
  readonly headingPath: readonly string[]
  readonly content: string
  /** Offsets (UTF-16 units) in the document's extracted text. */
  readonly start: number
  readonly end: number
  /** Chunk metadata; a filter sees the document's metadata overlaid by it. */
  readonly metadata: Metadata
  /** Unit vector of the embedder's width. */
  readonly vector: Float32Array
  /** The embedder's compact token vectors, opaque to the index; absent when not kept. */
  readonly tokenVectors?: Uint8Array
  /** Tokens of the searched text by the embedder's own count. */
  readonly tokenCount: number
}

/** One chunk as read back: the document's fields and its own. */
export interface StoredChunk {
  readonly chunkId: string
  readonly document: IndexedDocument
  readonly sequence: number
  readonly headingPath: readonly string[]
  readonly content: string
  readonly start: number
  readonly end: number
  /** The document's metadata overlaid by the chunk's. */
  readonly metadata: Metadata
  readonly tokenCount: number
  /** Present when asked for. */
  readonly vector?: Float32Array
  readonly tokenVectors?: Uint8Array
}
