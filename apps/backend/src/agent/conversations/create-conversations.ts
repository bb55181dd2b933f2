import { watchAbandoned } from './abandoned-answers.ts'
import type { ChatParts, ChatTiming, ConversationsOptions } from './chat-parts.ts'
import { AnswerWriter } from './answer-writer.ts'
import { GroupedWrites } from './grouped-writes.ts'
import type { Conversations } from './conversations.ts'
import { createRunningAnswers } from './running-answers.ts'
import { createKeptConversations } from './kept-conversations.ts'
import { decideCall } from './decide-call.ts'
import { followMessage } from './follow-message.ts'
import { giveFeedback } from './give-feedback.ts'
import { sendMessage } from './send-message.ts'
import { stopAnswer } from './stop-answer.ts'

const TIMING: ChatTiming = { saveMs: 1_000, leaseMs: 10_000, pollMs: 300, sweepMs: 5_000, graceMs: 2_000 }

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
