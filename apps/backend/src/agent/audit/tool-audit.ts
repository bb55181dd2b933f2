import type { Failure, ToolCall } from '@oncall-agent/api-contracts'

/** One ended call of a tool, whoever let it run: the chat agent, a diagnosis, or a client of the MCP server. */
export interface EndedToolCall {
  readonly tenantId: string
  readonly userId: string
  readonly origin: ToolCall['origin']
  readonly conversationId?: string
  readonly messageId?: string
  /** Within its message: a call of a message is entered once, whoever ends it. */
  readonly callId?: string
  readonly diagnosisId?: string
  readonly serverId?: string
  readonly tool: string
  /** As the model gave them, checked or not. */
  readonly input: unknown
  readonly status: ToolCall['status']
  readonly failure: Failure | null
  /** The whole result; null when there was none. */
  readonly result: string | null
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly tookMs: number
}

/**
 * Writes a call down: arguments redacted and bounded, the result as its hash, size and beginning. A result is given to a
 * model only after its call is written down: what can not be audited is not used.
 * @throws AppError of the business store
 */
export type RecordToolCall = (call: EndedToolCall) => Promise<void>
