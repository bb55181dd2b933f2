import { type ChunkStrategy, DEFAULT_KNOWLEDGE_TYPES } from '@oncall-agent/retrieval'

/** What this room is told by the one door for configuration; no part of it reads the environment. */
export interface KnowledgeSettings {
  readonly documents: DocumentLimits
  readonly extraction: ExtractionLimits
  readonly chunking: ChunkingSettings
  readonly entries: EntrySettings
}

/** What a document's entry of structured search is made with. */
export interface EntrySettings {
  readonly knowledgeTypes: readonly string[]
  /** One of them: what a document without a type, or of another one, counts as. */
  readonly defaultType: string
}

/** Bounds of one document. Each is refused with an error that names the bound and the actual size. */
export interface DocumentLimits {
  readonly maxFileBytes: number
  /** UTF-16 units of extracted text. */
  readonly maxCharacters: number
  readonly maxChunks: number
}

/** Bounds of the child process that reads documents. */
export interface ExtractionLimits {
  readonly timeLimitMs: number
  /** V8 heap of the child, in MiB. */
  readonly heapLimitMiB: number
  /** Resident memory of the child, in MiB: what is outside the heap (buffers, WASM) counts too. */
  readonly memoryLimitMiB: number
  readonly processes: number
}

export interface ChunkingSettings {
  /** `auto` is `markdown` for Markdown and `paragraph` for formats without headings. */
  readonly strategy: ChunkStrategy | 'auto'
  readonly size: number
  readonly overlap: number
  readonly unit: 'tokens' | 'characters'
}

/** The values that `config/settings.yaml` ships; tests and callers without a configuration use them. */
export const defaultKnowledgeSettings: KnowledgeSettings = {
  documents: { maxFileBytes: 20 * 1024 * 1024, maxCharacters: 2_000_000, maxChunks: 5_000 },
  // A 352-page book takes 12 s on a loaded two-core machine; the greatest real file seen used 240 MB.
  extraction: { timeLimitMs: 60_000, heapLimitMiB: 512, memoryLimitMiB: 900, processes: 1 },
  // 480 tokens: smaller windows lost up to 0.09 nDCG, and the embedder reads 512.
  chunking: { strategy: 'auto', size: 480, overlap: 60, unit: 'tokens' },
  entries: { knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES, defaultType: 'experience' }
}
