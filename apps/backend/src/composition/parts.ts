import type { Embedder, KnowledgeIndex, ModelState, Reranker, StructuredIndex } from '@oncall-agent/retrieval'
import type { Settings } from '../config/index.ts'
import type { IndexGenerations, TokenCounterModule } from '../knowledge/index.ts'
import type { Logger } from '../observability/index.ts'
import type { BusinessStore } from '../store/index.ts'
import type { OpenOnce } from './open-once.ts'

/** A reranker that holds a thread or a connection. */
export interface ClosableReranker extends Reranker {
  /** Absent where nothing has to be loaded or reached. */
  readonly state?: ModelState
  close(): Promise<void>
}

/** What one process works with. Engines and models are chosen in compose.ts and known here by their ports. */
export interface Parts {
  readonly version: string
  readonly settings: Settings
  readonly logger: Logger
  /** Absolute. */
  readonly dataDirectory: string
  readonly embedder: Embedder
  readonly reranker: ClosableReranker
  /** Where the child process that cuts documents finds the embedder's count of tokens. */
  readonly tokenCounter: TokenCounterModule
  readonly store: OpenOnce<BusinessStore>
  readonly index: OpenOnce<KnowledgeIndex>
  /** Where structured search looks: in the index, which closes it, or in the engine elsewhere. */
  readonly structured: OpenOnce<StructuredIndex>
  /** An engine elsewhere that holds a copy of the index's entries; absent where structured search looks in the index. */
  readonly searchEngine?: OpenOnce<StructuredIndex>
  /** For a rebuild; made when one begins. */
  readonly generations: () => IndexGenerations
}
