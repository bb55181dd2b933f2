import type {
  ChunkRequest,
  EmbedderFingerprint,
  FacetRequest,
  IndexedDocument,
  LexicalRequest,
  ListedDocument,
  ListedEntry,
  MatchRequest,
  NearestRequest,
  ReadablePair,
  Recall,
  Scope,
  StoredChunk,
  StructuredEntry,
  StructuredFacets,
  StructuredRecall,
  TermStatistics,
  VectorRequest
} from '@oncall-agent/retrieval'
import type { EntryPage } from '../reading/entries/entry-reader.ts'
import type { VectorMemory } from '../vectors/vector-memory.ts'
import type { FailureMessage } from './failure-message.ts'
import type { PackedChunks } from './packed-chunks.ts'

/** What a reader thread can be asked, and what it answers. */
export interface ReaderCalls {
  readonly open: { request: null; reply: null }
  readonly lexical: { request: LexicalRequest; reply: Recall }
  readonly statistics: { request: { terms: readonly string[]; scope: Scope }; reply: TermStatistics }
  readonly vector: { request: VectorRequest; reply: Recall }
  readonly chunks: { request: ChunkRequest; reply: readonly StoredChunk[] }
  readonly documents: { request: ReadablePair; reply: readonly ListedDocument[] }
  readonly match: { request: MatchRequest; reply: StructuredRecall }
  readonly facets: { request: FacetRequest; reply: StructuredFacets }
  readonly nearest: { request: NearestRequest; reply: StructuredRecall }
  readonly entryPage: { request: number; reply: EntryPage }
  readonly entry: { request: { pair: ReadablePair; documentId: string }; reply: StructuredEntry | null }
  readonly entries: { request: ReadablePair; reply: readonly ListedEntry[] }
  readonly warm: { request: null; reply: null }
  readonly totals: { request: null; reply: { documents: number; chunks: number; revision: number } }
  readonly verify: { request: null; reply: readonly string[] }
  readonly close: { request: null; reply: null }
}

/** What the writer thread can be asked, and what it answers. */
export interface WriterCalls {
  /** Chunks of the document that is going to be replaced; sent in parts, so that no message is large. */
  readonly part: { request: { id: number; chunks: PackedChunks }; reply: null }
  readonly replace: { request: { id: number; document: IndexedDocument; entry?: StructuredEntry }; reply: null }
  readonly delete: { request: { pair: ReadablePair; documentId: string }; reply: boolean }
  readonly replaceEntry: { request: StructuredEntry; reply: null }
  readonly deleteEntry: { request: { pair: ReadablePair; documentId: string }; reply: boolean }
  /** Entries that `rebuild` of the same id is going to write, or `forget` to drop. */
  readonly entryPart: { request: { id: number; entries: readonly StructuredEntry[] }; reply: null }
  readonly rebuild: { request: number; reply: null }
  readonly forget: { request: number; reply: null }
  readonly compact: { request: null; reply: null }
  readonly close: { request: null; reply: null }
}

/** Each call with the function that answers it. */
export type Handlers<C> = {
  readonly [K in keyof C]: (request: RequestOf<C, K>, id: number) => ReplyOf<C, K>
}

export type RequestOf<C, K extends keyof C> = C[K] extends { request: infer R } ? R : never
export type ReplyOf<C, K extends keyof C> = C[K] extends { reply: infer R } ? R : never

export interface CallMessage {
  readonly id: number
  readonly name: string
  readonly request: unknown
}

export interface ReplyMessage {
  readonly id: number
  readonly reply?: unknown
  /** Present when the call failed. */
  readonly failure?: FailureMessage
}

/** The id under which the writer reports what went wrong between calls. */
export const BACKGROUND = 0

export interface ThreadSettings {
  readonly directory: string
  readonly fingerprint: EmbedderFingerprint
  readonly busyTimeoutMs: number
  readonly maxPages?: number
}

export interface ReaderSettings extends ThreadSettings {
  /** From 0. */
  readonly reader: number
  readonly vectors: VectorMemory
  /** One cell: the id of the call that shall stop. */
  readonly stop: Int32Array
}
