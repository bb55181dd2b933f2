import type { Embedder, PortError, StructuredIndex, StructuredSettings } from '@oncall-agent/retrieval'
import type { StoredSearch } from '../../store/index.ts'
import type { DeletedDocuments } from './live-index.ts'

/** What structured search works with; engines and models are chosen in compose.ts, known here only by their ports. */
export interface StructuredParts {
  /** Opens it at its first use: a request is checked before that. @throws PortError, or an AppError made of one */
  readonly index: () => Promise<StructuredIndex>
  readonly embedder: Embedder
  readonly settings: StructuredSettings
  /** The configured types. */
  readonly knowledgeTypes: readonly string[]
  readonly limits: StructuredLimits
  /** The facts change first, and what the index still has of a deleted document is left out. */
  readonly deleted: DeletedDocuments
  readonly watch: StructuredWatch
}

/** Bounds in milliseconds: of a whole search, and of making its vector inside it. */
export interface StructuredLimits {
  readonly deadlineMs: number
  readonly embedMs: number
}

/** What others see of a search, for the log and the measurements; each is told once a search. */
export interface StructuredWatch {
  /** The answer stands without its vector. */
  readonly onEmbedderDown: (failure: PortError) => void
  /** The search fails with it. */
  readonly onEngineFailure: (cause: unknown) => void
  /** The answer stands without its record. */
  readonly onUnrecorded: (searchId: string, cause: unknown) => void
}

/** Where searches are kept; the business store has this shape. */
export interface SearchLog {
  insert(search: StoredSearch): Promise<void>
}
