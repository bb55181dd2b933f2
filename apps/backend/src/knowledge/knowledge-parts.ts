import type { Embedder, KnowledgeIndex, StructuredIndex } from '@oncall-agent/retrieval'
import type { BusinessStore } from '../store/index.ts'
import type { DocumentExtractor } from './extract/document-extractor.ts'
import type { KnowledgeSettings } from './settings.ts'
import type { DocumentLocks } from './document-locks.ts'

/** What documents of uploads are kept and indexed with; made once by whoever composes the process. */
export interface KnowledgeParts {
  readonly store: BusinessStore
  readonly index: Pick<KnowledgeIndex, 'writer' | 'chunks' | 'structured' | 'entry'>
  /** An engine outside that structured search asks, and that holds a copy of the index's entries; absent where it asks the index. */
  readonly searchEngine?: StructuredIndex
  readonly settings: KnowledgeSettings
  readonly dataDirectory: string
  /** The same for the service and all handlers of a process. */
  readonly locks: DocumentLocks
  /** Of a job, before it has failed for good. */
  readonly maxAttempts: number
  /** A job was enqueued and is committed: wakes the worker. */
  readonly onEnqueued: () => void
  /** Whole milliseconds since the epoch. */
  readonly now: () => number
}

/** And what indexing needs besides. */
export interface IndexTaskParts extends KnowledgeParts {
  readonly embedder: Embedder
  readonly extractor: DocumentExtractor
}
