import type { ChunkToPublish, IndexedDocument, StoredChunk } from './chunk.ts'
import type { LexicalIndex } from './lexical-index.ts'
import type { ReadablePair, Scope } from './scope.ts'
import type { StructuredEntry, StructuredIndex } from './structured-index.ts'
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
  /**
   * Idempotent. The entry of structured search goes with the chunks, so an index never holds one of another version; without
   * `entry` the document has none afterwards.
   * @throws PortError invalid-argument (vector width, duplicate sequence, entry of another document), locked, disk-full
   */
  replaceDocument(document: IndexedDocument, chunks: readonly ChunkToPublish[], entry?: StructuredEntry): Promise<void>
  /** True when it was there. Neither chunks nor entry can be found any more when this resolves. */
  deleteDocument(pair: ReadablePair, documentId: string): Promise<boolean>
  /** Every document of a pair, in corpus order, with its number of chunks. */
  listDocuments(pair: ReadablePair): Promise<readonly ListedDocument[]>
}

export interface ListedDocument extends IndexedDocument {
  readonly chunks: number
}

/** Subject of the `unavailable` that tells of a file of a release without entries, and of nothing else. */
export const LACK_OF_ENTRIES = 'entries of the knowledge index'

/** A whole index: both branches, structured search, reading, writing. */
export interface KnowledgeIndex {
  readonly engine: string
  readonly lexical: LexicalIndex
  readonly vector: VectorIndex
  readonly chunks: ChunkReader
  readonly writer: DocumentWriter
  /**
   * The entries that `writer` was given. Its `close` ends only this view; the index has a `close` of its own.
   * A file of a release without entries holds too few of them until it is made anew: searches and `entries` throw
   * `unavailable` with the subject `LACK_OF_ENTRIES` until then, while `listDocuments` and `entry` tell what is there.
   */
  readonly structured: StructuredIndex
  /**
   * Every entry, whole: what an engine outside is filled from. Each is as it was at some moment of the reading.
   * @throws PortError as a search does
   */
  entries(signal?: AbortSignal): AsyncIterable<StructuredEntry>
  /**
   * The entry of one document, whole, as it is when this is called; undefined where there is none.
   * @throws PortError as a search does
   */
  entry(pair: ReadablePair, documentId: string): Promise<StructuredEntry | undefined>
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
