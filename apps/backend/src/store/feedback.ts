import type { Kysely } from 'kysely'
import type { ConversationOwner } from './conversations.ts'
import type { BusinessSchema } from './schema.ts'

type Verdict = 'up' | 'down'

/** What a person says of an answer, or of one of its sources. */
export interface AnswerVerdict {
  readonly messageId: string
  /** Null for the answer itself. */
  readonly chunkId: string | null
  /** The stored retrieval that found the source; null for the answer, and where none could be stored. */
  readonly runId: string | null
  /** Null takes it back. */
  readonly verdict: Verdict | null
  readonly note: string | null
  readonly updatedAt: number
}

export interface MessageVerdicts {
  readonly answer: Verdict | null
  /** By chunk id. */
  readonly citations: Readonly<Record<string, Verdict>>
}

export interface AnswerFeedbackFacts {
  /** In the place of an earlier verdict of the same person on the same thing. */
  give(owner: ConversationOwner, verdict: AnswerVerdict): Promise<void>
  /** One person's verdicts, by message; messages without any are left out. */
  of(userId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, MessageVerdicts>>
}

export function answerFeedbackFacts(database: Kysely<BusinessSchema>): AnswerFeedbackFacts {
  return {
    give: (owner, verdict) => giveVerdict(database, owner, verdict),
    of: (userId, messageIds) => verdictsOf(database, userId, messageIds)
  }
}

async function giveVerdict(
  database: Kysely<BusinessSchema>,
  { tenantId, userId }: ConversationOwner,
  { messageId, chunkId, runId, verdict, note, updatedAt }: AnswerVerdict
): Promise<void> {
  const key = { user_id: userId, message_id: messageId, chunk_id: chunkId ?? '' }
  if (verdict === null) {
    await database
      .deleteFrom('feedback')
      .where('user_id', '=', key.user_id)
      .where('message_id', '=', key.message_id)
      .where('chunk_id', '=', key.chunk_id)
      .execute()
    return
  }
  const said = { run_id: runId ?? '', verdict, note, updated_at: updatedAt }
  await database
    .insertInto('feedback')
    .values({ tenant_id: tenantId, ...key, ...said })
    .onConflict((conflict) => conflict.columns(['user_id', 'message_id', 'chunk_id']).doUpdateSet(said))
    .execute()
}

async function verdictsOf(
  database: Kysely<BusinessSchema>,
  userId: string,
  messageIds: readonly string[]
): Promise<ReadonlyMap<string, MessageVerdicts>> {
  const rows = await database
    .selectFrom('feedback')
    .select(['message_id', 'chunk_id', 'verdict'])
    .where('user_id', '=', userId)
    .where('message_id', 'in', messageIds)
    .execute()
  const byMessage = Map.groupBy(rows, ({ message_id: messageId }) => messageId)
  return new Map(
    [...byMessage].map(([messageId, said]) => {
      const citations = said.filter((row) => row.chunk_id !== '').map((row) => [row.chunk_id, row.verdict] as const)
      const answer = said.find((row) => row.chunk_id === '')?.verdict ?? null
      return [messageId, { answer, citations: Object.fromEntries(citations) }]
    })
  )
}
