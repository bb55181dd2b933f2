import type {
  JobsQuery,
  JobView,
  Models,
  ModelTest,
  ModelTestResult,
  Page,
  ReadinessPart,
  RetrievalRequest,
  RetrievalResponse,
  RetrievalRun,
  SearchFeedback,
  SearchFeedbackInput,
  SearchFeedbackSummary,
  SearchRequest,
  SearchResponse,
  SystemSummary
} from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import type { PromptLibrary, ToolAudit, ToolServers } from '../agent/index.ts'
import type { Conversations } from '../agent/index.ts'
import type { Auth, Caller } from '../auth/index.ts'
import type { KnowledgeService } from '../knowledge/index.ts'
import type { McpOverHttp } from '../mcp/index.ts'
import type { Logger, Metrics } from '../observability/index.ts'
import type { IdempotentAnswerFacts } from '../store/index.ts'

/** What the server calls; compose.ts gives it, so that the server knows no room's inside. Everything throws AppError. */
export interface HttpDependencies {
  readonly logger: Logger
  readonly version: string
  readonly auth: HttpAuth
  readonly knowledge: KnowledgeService
  readonly retrieve: (caller: Caller, request: RetrievalRequest, signal: AbortSignal) => Promise<RetrievalResponse>
  /** Undefined when there is none, or when it is not the caller's. */
  readonly findRun: (caller: Caller, runId: string) => Promise<RetrievalRun | undefined>
  readonly search: HttpSearch
  readonly toolAudit: Pick<ToolAudit, 'list' | 'get'>
  readonly toolServers: Omit<ToolServers, 'toolsFor' | 'close'>
  /** The product's own tools for clients of the protocol; closed with the server. */
  readonly mcp: McpOverHttp
  readonly prompts: Pick<PromptLibrary, 'prompts' | 'skills'>
  readonly models: HttpModels
  readonly conversations: Conversations
  /** Told of each stream of events that begins, and that is over. */
  readonly onStream?: (change: 1 | -1) => void
  readonly system: HttpSystem
  readonly metrics: Metrics
  readonly idempotentAnswers: IdempotentAnswerFacts
  readonly limits: HttpLimits
}

/** The part of auth that the server uses. */
export type HttpAuth = Omit<Auth, 'readableBy' | 'operator'>

/** Structured search, and what people say of its documents. */
export interface HttpSearch {
  readonly ask: (caller: Caller, request: SearchRequest, asked: AskedHow) => Promise<SearchResponse>
  /** @throws AppError NOT_FOUND for a search that is not the caller's */
  readonly giveFeedback: (caller: Caller, feedback: SearchFeedbackInput) => Promise<SearchFeedback>
  readonly feedbackSummary: (caller: Caller) => Promise<SearchFeedbackSummary>
}

export interface AskedHow {
  /** Of the fixed texts in the answer. */
  readonly language: AnswerLanguage
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

/** Which models answer here, and a real call of one. */
export interface HttpModels {
  readonly list: () => Models
  /** What goes wrong is in the answer. */
  readonly test: (asked: AskedHow & Pick<ModelTest, 'part'>) => Promise<ModelTestResult>
}

export interface HttpSystem {
  /** Every part that an answer needs, each asked within its own deadline. */
  readonly readiness: () => Promise<readonly ReadinessPart[]>
  readonly summary: () => Promise<SystemSummary>
  readonly jobs: (query: JobsQuery) => Promise<Page<JobView>>
}

export interface HttpLimits {
  /** Of each person, key, or address that shows neither. */
  readonly requestsPerMinute: number
  /** Origin under which browsers reach the server through a proxy; empty when they reach it as it is. */
  readonly publicOrigin: string
  /** Of streams, in milliseconds: silence before a comment is sent, and how long a reader may take nothing. */
  readonly heartbeatMs?: number
  readonly stallMs?: number
  /** Folder of the built page; without it the server shows only its description. */
  readonly pageDirectory?: string
}
