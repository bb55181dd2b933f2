import { AppError, type Feedback, type FeedbackInput } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { ChatParts } from './chat-parts.ts'

/** Keeps what a person says of one of their answers, or of one of its sources with the run that found it. */
export async function giveFeedback(
  { store }: ChatParts,
  caller: Caller,
  { messageId, chunkId, verdict, note }: FeedbackInput
): Promise<Feedback> {
  const message = await store.messages.own(caller, messageId)
  const source = message?.sources.find(({ id }) => id === chunkId)
  if (message?.role !== 'assistant' || (chunkId !== undefined && source === undefined)) {
    throw new AppError('NOT_FOUND', { operation: 'give feedback', subject: chunkId ?? messageId })
  }
  const given = {
    messageId,
    chunkId: chunkId ?? null,
    verdict,
    // What is taken back leaves nothing behind.
    note: verdict === null ? null : (note ?? null),
    updatedAt: Date.now()
  }
  await store.answerFeedback.give(caller, { ...given, runId: source?.runId ?? null })
  return given
}
