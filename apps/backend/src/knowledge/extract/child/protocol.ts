import type { AppErrorContext, ErrorCode } from '@oncall-agent/api-contracts'
import type { DocumentFormat, PreparedDocument } from '../extracted-document.ts'
import type { ChunkingSettings } from '../../settings.ts'

/** One document to be read and cut. */
export interface PrepareRequest {
  /** As the person knows it; used in messages, and without its extension as the last resort for a title. */
  readonly name: string
  readonly format: DocumentFormat
  readonly bytes: Uint8Array
  /** Wins over every title in the document. */
  readonly title?: string
  readonly chunking: ChunkingSettings
  /** What the embedder reads of one text. */
  readonly maxTokens: number
  readonly maxCharacters: number
  readonly maxChunks: number
}

/** Where the child finds the embedder's token counter: a function that makes `(text) => number`. */
export interface TokenCounterModule {
  readonly moduleUrl: string
  readonly exportName: string
}

/** Parent to child. */
export type ChildCommand =
  | { readonly kind: 'start'; readonly tokenCounter: TokenCounterModule | undefined }
  | { readonly kind: 'prepare'; readonly request: PrepareRequest }

/** Child to parent; one answer for each command, in order. */
export type ChildAnswer =
  | { readonly kind: 'started' }
  | { readonly kind: 'prepared'; readonly document: PreparedDocument }
  /** The document is at fault. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly context: PlainErrorContext }
  /** The child is. */
  | { readonly kind: 'failed'; readonly message: string }

/** What of an error crosses the border between processes. */
export type PlainErrorContext = Omit<AppErrorContext, 'cause'> & { readonly causeMessage?: string }
