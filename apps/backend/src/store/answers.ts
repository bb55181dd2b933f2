import type { Kysely } from 'kysely'
import { abandon, expired } from './abandon-answers.ts'
import { type AnswerEnding, type AnswerProgress, endingColumns, progressColumns } from './message-rows.ts'
import type { BusinessSchema } from './schema.ts'

/** What is to be written of one answer. */
export interface AnswerChange {
  readonly messageId: string
  /** Until when its writer is taken for alive. */
  readonly leaseUntil: number
  /** Absent when nothing grew: then the lease alone is renewed. */
  readonly progress?: AnswerProgress
  readonly ending?: AnswerEnding
}

/** `lost`: it was deleted, or taken for abandoned. `stop`: somebody asks to end it. */
export type Held = 'held' | 'stop' | 'lost'

export interface Decision {
  readonly callId: string
  readonly approved: boolean
}

export interface AnswerFacts {
  /** Writes what grew in all of them, in one transaction. @returns for each message whether it still is the writer's */
  save(changes: readonly AnswerChange[]): Promise<ReadonlyMap<string, Held>>
  /** Asks whoever writes it to stop. */
  requestStop(messageId: string): Promise<void>
  /** Keeps what a person said to a call that waits. False when somebody said something before. */
  decide(messageId: string, decision: Decision, now: number): Promise<boolean>
  decisions(messageIds: readonly string[]): Promise<ReadonlyMap<string, readonly Decision[]>>
  /**
   * Ends the answers whose writer gave no sign of life before its lease ran out, and enters their open calls in the audit.
   * @param alive answers that live whatever their lease says
   * @returns the ids of those that ended
   */
  abandonExpired(now: number, alive?: readonly string[]): Promise<readonly string[]>
}

export function answerFacts(database: Kysely<BusinessSchema>): AnswerFacts {
  return {
    save: (changes) => database.transaction().execute((transaction) => saveAnswers(transaction, changes)),
    requestStop: (messageId) => requestStop(database, messageId),
    decide: (messageId, decision, now) => keepDecision(database, messageId, decision, now),
    decisions: (messageIds) => decisionsOf(database, messageIds),
    abandonExpired: (now, alive = []) => abandonExpired(database, now, alive)
  }
}

async function saveAnswers(
  database: Kysely<BusinessSchema>,
  changes: readonly AnswerChange[]
): Promise<ReadonlyMap<string, Held>> {
  const held = new Map<string, Held>()
  for (const { messageId, leaseUntil, progress, ending } of changes) {
    const row = await database
      .updateTable('message')
      .set({
        lease_until: leaseUntil,
        ...(progress === undefined ? {} : progressColumns(progress)),
        ...(ending === undefined ? {} : endingColumns(ending))
      })
      .where('id', '=', messageId)
      // Whoever took it for abandoned has told people that it is over: nothing is written behind that.
      .where('status', '=', 'streaming')
      .returning('stop_requested')
      .executeTakeFirst()
    held.set(messageId, row === undefined ? 'lost' : row.stop_requested === 1 ? 'stop' : 'held')
  }
  return held
}

async function requestStop(database: Kysely<BusinessSchema>, messageId: string): Promise<void> {
  await database.updateTable('message').set({ stop_requested: 1 }).where('id', '=', messageId).execute()
}

async function keepDecision(
  database: Kysely<BusinessSchema>,
  messageId: string,
  { callId, approved }: Decision,
  now: number
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto('tool_decision')
    .values({ message_id: messageId, call_id: callId, approved: approved ? 1 : 0, decided_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

async function decisionsOf(
  database: Kysely<BusinessSchema>,
  messageIds: readonly string[]
): Promise<ReadonlyMap<string, readonly Decision[]>> {
  const rows = await database
    .selectFrom('tool_decision')
    .select(['message_id', 'call_id', 'approved'])
    .where('message_id', 'in', messageIds)
    .execute()
  const byMessage = Map.groupBy(rows, ({ message_id: messageId }) => messageId)
  return new Map(
    [...byMessage].map(([messageId, decisions]) => [
      messageId,
      decisions.map((row) => ({ callId: row.call_id, approved: row.approved === 1 }))
    ])
  )
}

async function abandonExpired(
  database: Kysely<BusinessSchema>,
  now: number,
  alive: readonly string[]
): Promise<readonly string[]> {
  // Looked for without the lock for writing: every few seconds, and nearly always there is none.
  const any = await expired(database, now, { alive }).select('message.id').limit(1).executeTakeFirst()
  if (any === undefined) return []
  return database.transaction().execute((transaction) => abandon(transaction, now, { alive }))
}
