import { randomUUID } from 'node:crypto'
import { AppError, type NewMessage } from '@oncall-agent/api-contracts'
import type { ReadablePair } from '@oncall-agent/retrieval'
import type { Caller } from '../../auth/index.ts'
import type { AskedHow } from './conversations.ts'
import type { ChatParts } from './chat-parts.ts'
import { type AnswerFeed, followAnswer } from './follow-answer.ts'
import { noConversation } from './kept-conversations.ts'
import type { Place } from './running-answers.ts'
import { titleOf } from './title-of.ts'

interface Sent {
  readonly conversationId: string
  readonly message: NewMessage
  readonly how: AskedHow
}

/** Checks, stores, begins to write, and tells what is written. */
export async function sendMessage(parts: ChatParts, caller: Caller, sent: Sent): Promise<AnswerFeed> {
  const { running } = parts
  const readable = narrowed(await parts.readableBy(caller), sent.message.knowledgeBaseIds)
  const place = running.takePlace()
  try {
    return await begun(parts, caller, { place, sent, readable })
  } finally {
    place.leave()
  }
}

interface Beginning {
  readonly place: Place
  readonly sent: Sent
  readonly readable: readonly ReadablePair[]
}

/** In a place that is given back when nothing begins. */
async function begun(parts: ChatParts, caller: Caller, { place, sent, readable }: Beginning): Promise<AnswerFeed> {
  const { timing, writes } = parts
  const { content, knowledgeBaseIds } = sent.message
  const now = Date.now()
  const asked = {
    conversationId: sent.conversationId,
    questionId: randomUUID(),
    answerId: randomUUID(),
    content,
    mode: parts.mode ?? 'agent',
    title: titleOf(content),
    knowledgeBaseIds: knowledgeBaseIds ?? null,
    now,
    leaseUntil: now + timing.leaseMs
  }
  const turn = await writes.do((tables) => tables.messages.begin(caller, asked))
  if (turn === 'missing') throw noConversation(sent.conversationId)
  if (turn === 'busy') throw busy(sent.conversationId)
  const owner = { tenantId: caller.tenantId, userId: caller.userId }
  place.begin(owner, turn, { readable, language: sent.how.language })
  const { requestId, signal } = sent.how
  return followAnswer(followContext(parts), {
    ...turn,
    owner,
    lastEventId: 0,
    requestId,
    signal
  })
}

export function followContext({ store, running, timing, logger, closing }: ChatParts) {
  return { store, logger, closing, running: running.all, pollMs: timing.pollMs }
}

/** @throws AppError AUTH_FORBIDDEN: fewer than what was asked for would look like an answer from all of it */
function narrowed(readable: readonly ReadablePair[], wanted: readonly string[] | undefined): readonly ReadablePair[] {
  if (wanted === undefined) return readable
  const known = new Map(readable.map((pair) => [pair.knowledgeBaseId, pair]))
  for (const id of wanted) {
    if (!known.has(id)) throw new AppError('AUTH_FORBIDDEN', { operation: 'narrow knowledge bases', subject: id })
  }
  return [...new Set(wanted)].map((id) => known.get(id)!)
}

function busy(subject: string): AppError {
  const message = 'An answer is being written in this conversation; wait for its end, or stop it.'
  return new AppError('CONFLICT', { operation: 'begin answer', subject, message })
}
