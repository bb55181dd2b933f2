import { AppError } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { FollowedHow } from './conversations.ts'
import type { ChatParts } from './chat-parts.ts'
import { type AnswerFeed, followAnswer } from './follow-answer.ts'
import { type MessageAddress, ownMessage } from './kept-conversations.ts'
import { followContext } from './send-message.ts'

/** The events of an answer that was begun before, here or elsewhere. */
export async function followMessage(
  parts: ChatParts,
  caller: Caller,
  { how, ...address }: MessageAddress & { readonly how: FollowedHow }
): Promise<AnswerFeed> {
  const answer = await ownMessage(parts.store, caller, address)
  const question = await parts.store.messages.at(answer.conversationId, answer.position - 1)
  // A question is no stream.
  if (answer.role !== 'assistant' || question === undefined) {
    throw new AppError('NOT_FOUND', { operation: 'follow answer', subject: answer.id })
  }
  const owner = { tenantId: caller.tenantId, userId: caller.userId }
  return followAnswer(followContext(parts), { owner, question, answer, ...how })
}
