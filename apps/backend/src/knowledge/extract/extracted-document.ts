import type { ChunkSlice, ChunkStrategy, ExtractedText, Metadata } from '@oncall-agent/retrieval'

export type DocumentFormat = 'markdown' | 'text' | 'pdf' | 'html' | 'docx'

/** What a format's extractor hands on. */
export interface Extraction extends ExtractedText {
  /** The document's own title; absent when it names none, and the file name stands in. */
  readonly title?: string
  readonly attributes: KnowledgeAttributes
  /** Scalars of the front matter, or nothing. */
  readonly metadata: Metadata
  /** Sentences for a person: what was not read, and where. */
  readonly warnings: readonly string[]
}

/** Attributes that structured search filters on. */
export interface KnowledgeAttributes {
  readonly knowledgeType?: string
  readonly project?: string
  readonly equipment?: string
  readonly errorCodes: readonly string[]
}

/** A document that is ready to be embedded: read, cleaned and cut. */
export interface PreparedDocument {
  readonly title: string
  /** The readable text that chunk offsets point into. */
  readonly text: string
  readonly chunks: readonly ChunkSlice[]
  /** How it was cut; `whole` is one chunk. */
  readonly strategy: ChunkStrategy | 'whole'
  readonly attributes: KnowledgeAttributes
  readonly metadata: Metadata
  readonly warnings: readonly string[]
}

export const noAttributes: KnowledgeAttributes = { errorCodes: [] }
