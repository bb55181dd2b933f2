import type { RetrievalRequest, RetrievalResponse, SearchRequest, SearchResponse } from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import type { RecordToolCall } from '../agent/index.ts'
import type { Caller } from '../auth/index.ts'
import type { KnowledgeService } from '../knowledge/index.ts'
import type { Logger } from '../observability/index.ts'

/** What the tools call: the same code as the HTTP interface and the agent. Everything throws AppError. */
export interface McpRooms {
  readonly retrieve: (caller: Caller, request: RetrievalRequest, signal: AbortSignal) => Promise<RetrievalResponse>
  readonly search: (
    caller: Caller,
    request: SearchRequest,
    asked: { readonly language: AnswerLanguage; readonly signal: AbortSignal }
  ) => Promise<SearchResponse>
  readonly knowledge: Pick<KnowledgeService, 'bases' | 'base' | 'document' | 'text' | 'chunks'>
  /** A result is given away only after its call is written down. */
  readonly record: RecordToolCall
  readonly logger: Logger
  readonly version: string
}

/** Who calls a tool, and how. */
export interface McpCaller {
  readonly caller: Caller
  /** Of fixed texts in answers. */
  readonly language: AnswerLanguage
  /** Aborted when the client has given up, or is gone. */
  readonly signal: AbortSignal
}
