import type { ChunkToPublish, IndexedDocument, StoredChunk } from './chunk.ts'
import type { LexicalIndex } from './lexical-index.ts'
import type { ReadablePair, Scope } from './scope.ts'
import type { VectorIndex } from './vector-index.ts'

/** Reads chunks by id, in the order asked. An id that is gone, or outside the scope, is left out. */
export interface ChunkReader {
  read(request: ChunkRequest, signal?: AbortSignal): Promise<readonly StoredChunk[]>
}

export interface ChunkRequest {
  readonly chunkIds: readonly string[]
  readonly scope: Scope
  readonly withVectors: boolean
  readonly withTokenVectors: boolean
}

/**
 * Writes whole documents. A reader in any process sees the old document or the new one, in both branches,
 * never none and never a mix; what is not committed when the process dies has not happened.
 */
export interface DocumentWriter {
  /** Idempotent. @throws PortError invalid-argument (vector width, duplicate sequence), locked, disk-full */
  replaceDocument(document: IndexedDocument, chunks: readonly ChunkToPublish[]): Promise<void>
  /** True when it was there. Not retrievable any more when this resolves. */
  deleteDocument(pair: ReadablePair, documentId: string): Promise<boolean>
  /** Every document of a pair, in corpus order, with its number of chunks. */
  listDocuments(pair: ReadablePair): Promise<readonly ListedDocument[]>
}

export interface ListedDocument extends IndexedDocument {
  readonly chunks: number
}

/** A whole index: both branches, reading, writing. */
export interface KnowledgeIndex {
  readonly engine: string
  readonly lexical: LexicalIndex
  readonly vector: VectorIndex
  readonly chunks: ChunkReader
  readonly writer: DocumentWriter
  /** Loads what the first search needs. Optional to call; bounded by the signal. */
  warm(signal?: AbortSignal): Promise<void>
  size(): Promise<IndexSize>
  /** What is wrong with the stored index, in sentences for an operator; empty when it is whole. */
  verify(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface IndexSize {
  readonly documents: number
  readonly chunks: number
  readonly bytesOnDisk: number
  readonly revision: number
}
