import type { ReadablePair } from '@oncall-agent/retrieval'
import type { Caller } from '../../auth/index.ts'
import type { Logger } from '../../observability/index.ts'
import type { BusinessStore } from '../../store/index.ts'
import type { Answerer } from '../answer/turn.ts'
import { watchAbandoned } from './abandoned-answers.ts'
import { AnswerWriter } from './answer-writer.ts'
import { GroupedWrites } from './grouped-writes.ts'
import type { Conversations } from './conversations.ts'
import { createRunningAnswers, type RunningAnswers } from './running-answers.ts'
import { createKeptConversations } from './kept-conversations.ts'
import { decideCall } from './decide-call.ts'
import { followMessage } from './follow-message.ts'
import { giveFeedback } from './give-feedback.ts'
import { sendMessage } from './send-message.ts'
import { stopAnswer } from './stop-answer.ts'
import type { AnswerContext } from './write-answer.ts'

export type ChatStore = Pick<BusinessStore, 'conversations' | 'messages' | 'answers' | 'answerFeedback' | 'transaction'>

export interface ConversationsOptions {
  readonly store: ChatStore
  readonly answerer: Answerer
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

const TIMING: ChatTiming = { saveMs: 1_000, leaseMs: 10_000, pollMs: 300, sweepMs: 5_000, graceMs: 2_000 }

/** What the operations of the room share. */
export interface ChatParts extends Omit<ConversationsOptions, 'timing'> {
  readonly timing: ChatTiming
  readonly running: RunningAnswers
  readonly writes: GroupedWrites
  /** Aborted when the process stops. */
  readonly closing: AbortSignal
}

/** The conversations over one store. Several processes may have one over the same data folder. */
export function createConversations(options: ConversationsOptions): Conversations {
  const { store, answerer, approvalMs, logger, streams, onAnswered } = options
  const timing = { ...TIMING, ...options.timing }
  const writer = new AnswerWriter(store, logger, timing)
  const running = createRunningAnswers({ store, answerer, writer, logger, approvalMs, onAnswered }, streams)
  const closing = new AbortController()
  const parts: ChatParts = { ...options, timing, running, writes: new GroupedWrites(store), closing: closing.signal }
  const { sweepMs } = timing
  const watching = watchAbandoned({ store, logger, alive: running.all, sweepMs, closing: closing.signal })
  return {
    ...createKeptConversations(parts),
    send: (caller, conversationId, message, how) => sendMessage(parts, caller, { conversationId, message, how }),
    follow: (caller, conversationId, messageId, how) =>
      followMessage(parts, caller, { conversationId, messageId, how }),
    stop: (caller, conversationId, messageId) => stopAnswer(parts, caller, { conversationId, messageId }),
    decide: (caller, call, approved) => decideCall(parts, caller, call, approved),
    giveFeedback: (caller, feedback) => giveFeedback(parts, caller, feedback),
    close: async () => {
      await running.close(timing.graceMs)
      closing.abort()
      writer.close()
      await watching.stop()
    }
  }
}
