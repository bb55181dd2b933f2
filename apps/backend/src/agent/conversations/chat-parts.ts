import type { Message } from '@oncall-agent/api-contracts'
import type { ReadablePair } from '@oncall-agent/retrieval'
import type { Caller } from '../../auth/index.ts'
import type { Logger } from '../../observability/index.ts'
import type { BusinessStore } from '../../store/index.ts'
import type { Answerer } from '../answer/turn.ts'
import type { GroupedWrites } from './grouped-writes.ts'
import type { RunningAnswers } from './running-answers.ts'
import type { AnswerContext } from './write-answer.ts'

export type ChatStore = Pick<BusinessStore, 'conversations' | 'messages' | 'answers' | 'answerFeedback' | 'transaction'>

export interface ConversationsOptions {
  readonly store: ChatStore
  readonly answerer: Answerer
  /** What the answerer's answers are; the agent's unless said otherwise. */
  readonly mode?: Message['mode']
  readonly readableBy: (caller: Caller) => Promise<readonly ReadablePair[]>
  /** Answers that this process writes at the same time. */
  readonly streams: number
  /** How long a call waits for a person, in milliseconds. */
  readonly approvalMs: number
  readonly logger: Logger
  /** Told of each answer that came to its end here. */
  readonly onAnswered?: AnswerContext['onAnswered']
  readonly timing?: Partial<ChatTiming>
}

/** In milliseconds. */
export interface ChatTiming {
  /** Between two writes of what grew: what a process that is killed may lose of a text. */
  readonly saveMs: number
  /** Without a sign of life for so long a writer is taken for dead: ten writes that did not come. */
  readonly leaseMs: number
  /** Between two looks at an answer that another process writes: soon enough for one who reads along. */
  readonly pollMs: number
  /** Between two looks for answers whose writer died. */
  readonly sweepMs: number
  /** What running answers get to end by themselves when the process stops. */
  readonly graceMs: number
}

/** What the operations of the room share. */
export interface ChatParts extends Omit<ConversationsOptions, 'timing'> {
  readonly timing: ChatTiming
  readonly running: RunningAnswers
  readonly writes: GroupedWrites
  /** Aborted when the process stops. */
  readonly closing: AbortSignal
}
