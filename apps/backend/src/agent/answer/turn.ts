import type { Failure, Message, Source, ToolUse } from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import type { Caller } from '../../search/index.ts'

/** One question that is to be answered, with all that the answer depends on. */
export interface Turn {
  readonly conversationId: string
  /** Of the answer. */
  readonly messageId: string
  /** Whose tools and knowledge bases the agent has; `readable` is narrowed to what the question allows. */
  readonly caller: Caller
  /** Of fixed sentences in the answer; the model answers in the question's language. */
  readonly language: AnswerLanguage
  readonly question: string
  /** Earlier turns of the conversation, oldest first, ended ones only. */
  readonly history: readonly PastMessage[]
  /** Messages of the conversation that are older than the history, and of which the model is told that there are some. */
  readonly older?: number
  /** Asks a person whether a call may run; false when they say no or nothing. Rejects with the signal's reason. */
  readonly decide: (call: ToolUse, signal: AbortSignal) => Promise<boolean>
}

export type PastMessage = Pick<Message, 'role' | 'content'>

/** What is told while the answer is written. Text comes as it will be stored: markers are checked already. */
export type TurnEvent =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'tool.started' | 'tool.waiting' | 'tool.finished'; readonly call: ToolUse }
  | { readonly type: 'source'; readonly source: Source }

/** The whole of an ended answer, as it is stored. */
export interface Answer {
  readonly status: Exclude<Message['status'], 'streaming'>
  readonly content: string
  readonly mode: Message['mode']
  readonly retrieval: Message['retrieval']
  readonly sources: readonly Source[]
  readonly tools: readonly ToolUse[]
  readonly removedMarkers: number
  /** Null only for `completed`. */
  readonly failure: Failure | null
}

/**
 * Answers one turn. What goes wrong is the answer's status and failure; it rejects for faults of the product alone. An
 * aborted signal ends it soon, with what is written: `partial`, or `failed` where nothing is.
 */
export type Answerer = (turn: Turn, onEvent: (event: TurnEvent) => void, signal: AbortSignal) => Promise<Answer>
