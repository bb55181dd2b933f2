import type { ReadinessPart, RetrievalRequest, RetrievalResponse, RetrievalRun } from '@oncall-agent/api-contracts'
import type { Logger } from '../observability/index.ts'

/** What the server calls; compose.ts gives it, so that the server knows no room's inside. */
export interface HttpDependencies {
  readonly logger: Logger
  readonly version: string
  /** @throws AppError; its code decides the status */
  readonly retrieve: (request: RetrievalRequest, context: RequestContext) => Promise<RetrievalResponse>
  /** Undefined when there is none, or when it is not the caller's. */
  readonly findRun: (runId: string, context: RequestContext) => Promise<RetrievalRun | undefined>
  /** Every part that an answer needs, each asked within its own deadline. */
  readonly readiness: (context: RequestContext) => Promise<readonly ReadinessPart[]>
}

/** What a request binds: who asks is the local tenant, the only one that reaches the server in this release. */
export interface RequestContext {
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}
