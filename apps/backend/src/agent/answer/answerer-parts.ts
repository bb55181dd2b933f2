import type { ToolStatus } from '@oncall-agent/api-contracts'
import type { RecordToolCall } from '../audit/tool-audit.ts'
import type { AgentTool } from '../tools/agent-tool.ts'
import type { LoadableSkills } from '../tools/skill-loading.ts'
import type { Logger } from '../../observability/index.ts'
import type { Turn } from './turn.ts'

/** The section `chat` of the settings, as far as an answer depends on it. */
export interface AnswerSettings {
  /** Empty: no model, and answers are what was found. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string
  readonly temperature: number
  /** Tokens that the model reads at most, its answer included. */
  readonly contextTokens: number
  readonly maxOutputTokens: number
  /** Milliseconds of silence after which the model counts as gone. */
  readonly timeoutMs: number
  readonly retries: number
  /** Milliseconds of one answer with all its tools, without the time that a person is waited for. */
  readonly deadlineMs: number
  /** Calls of the model in one answer. */
  readonly maxSteps: number
}

/** For metrics and traces; they must not throw. */
export interface AnswerWatch {
  onToolCall(call: { readonly tool: string; readonly status: ToolStatus; readonly tookMs: number }): void
  onModelCall(call: ModelCallWatched): void
}

export interface ModelCallWatched {
  /**
   * `failed`: the model is out of reach, or takes nobody's requests. `refused`: it did not take this one, or its answer
   * was too long. `cancelled`: nobody waited for its end.
   */
  readonly outcome: 'ok' | 'failed' | 'refused' | 'cancelled'
  readonly tookMs: number
  /** Until the first piece of text or of a call; null where there was none. */
  readonly firstMs: number | null
  /** Times that it was asked. */
  readonly attempts: number
}

/** What the agent may call in one turn; made for it and bound to its caller. */
export interface OfferedTools {
  readonly tools: readonly AgentTool[]
  /** Names of the caller's tool servers that could not be reached: the agent is told that it can not look there. */
  readonly unreachable: readonly string[]
}

export interface AnswererParts {
  readonly settings: AnswerSettings
  readonly toolsFor: (turn: Turn, signal: AbortSignal) => Promise<OfferedTools>
  /** The system prompt's own part. */
  readonly promptFor: (turn: Turn) => Promise<string>
  readonly skillsFor: (turn: Turn) => Promise<LoadableSkills>
  /** `knowledge_retrieval` for answers without a model. */
  readonly retrievalToolFor: (turn: Turn) => AgentTool
  readonly record: RecordToolCall
  readonly logger: Pick<Logger, 'warn' | 'error'>
  readonly watch: AnswerWatch
  /** Milliseconds since the epoch. */
  readonly now: () => number
}
