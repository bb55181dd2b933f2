import type { Message, Page } from '@oncall-agent/api-contracts'
import type { Kysely } from 'kysely'
import { abandon } from './abandon-answers.ts'
import type { ConversationOwner } from './conversations.ts'
import { messageOfRow, type StoredMessage } from './message-rows.ts'
import { nextSequence } from './next-sequence.ts'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

/** A question that begins a turn, and the empty answer that is written from then on. */
export interface NewTurn {
  readonly conversationId: string
  readonly questionId: string
  readonly answerId: string
  readonly content: string
  /** Of the answer, known before its first word. */
  readonly mode: Message['mode']
  /** Taken by a conversation that has none. */
  readonly title: string
  readonly knowledgeBaseIds: readonly string[] | null
  readonly now: number
  /** Until when the writer of the answer is taken for alive, if it gives no other sign. */
  readonly leaseUntil: number
}

export interface BegunTurn {
  readonly question: StoredMessage
  readonly answer: StoredMessage
}

export interface MessageFacts {
  /**
   * Stores question and answer, in a transaction of the caller's. `missing`: no conversation of the owner's. `busy`: an answer is being
   * written in it.
   */
  begin(owner: ConversationOwner, turn: NewTurn): Promise<BegunTurn | 'missing' | 'busy'>
  /** Oldest first. */
  list(conversationId: string, page: PageRequest): Promise<Page<StoredMessage>>
  /** Undefined also when the conversation is another person's. */
  find(owner: ConversationOwner, conversationId: string, messageId: string): Promise<StoredMessage | undefined>
  /** The message of the owner's with that id, in whichever conversation. */
  own(owner: ConversationOwner, messageId: string): Promise<StoredMessage | undefined>
  at(conversationId: string, position: number): Promise<StoredMessage | undefined>
  /** The last ended ones below a position, oldest first. */
  before(conversationId: string, position: number, limit: number): Promise<readonly StoredMessage[]>
}

/** Positions are counted down from here to page through them as through lists that are newest first. */
const BEYOND_ALL = 1_000_000_000

export function messageFacts(database: Kysely<BusinessSchema>): MessageFacts {
  return {
    begin: (owner, turn) => beginTurn(database, owner, turn),
    list: (conversationId, page) => listMessages(database, conversationId, page),
    find: (owner, conversationId, messageId) => findMessage(database, owner, messageId, conversationId),
    own: (owner, messageId) => findMessage(database, owner, messageId),
    at: (conversationId, position) => messageAt(database, conversationId, position),
    before: (conversationId, position, limit) => messagesBefore(database, conversationId, position, limit)
  }
}

async function beginTurn(
  database: Kysely<BusinessSchema>,
  { tenantId, userId }: ConversationOwner,
  turn: NewTurn
): Promise<BegunTurn | 'missing' | 'busy'> {
  const { conversationId, now } = turn
  const conversation = await database
    .selectFrom('conversation')
    .select('title')
    .where('id', '=', conversationId)
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (conversation === undefined) return 'missing'
  // A process that died wrote the last answer: it is over, and nobody has to wait for the next look at such.
  await abandon(database, now, { conversationId })
  const { last, streaming } = await database
    .selectFrom('message')
    .select((select) => [
      select.fn.max<number | null>('position').as('last'),
      select.fn.countAll<number>().filterWhere('status', '=', 'streaming').as('streaming')
    ])
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  if (streaming > 0) return 'busy'
  await insertPair(database, turn, (last ?? -1) + 1)
  await database
    .updateTable('conversation')
    .set({
      title: conversation.title === '' ? turn.title : conversation.title,
      updated_at: now,
      sequence: nextSequence('conversation')
    })
    .where('id', '=', conversationId)
    .execute()
  const question = await messageAt(database, conversationId, (last ?? -1) + 1)
  const answer = await messageAt(database, conversationId, (last ?? -1) + 2)
  return { question: question!, answer: answer! }
}

async function insertPair(database: Kysely<BusinessSchema>, turn: NewTurn, position: number): Promise<void> {
  const { conversationId, questionId, answerId, content, knowledgeBaseIds, mode, now, leaseUntil } = turn
  const common = { conversation_id: conversationId, failure_json: null, created_at: now }
  await database
    .insertInto('message')
    .values([
      {
        ...common,
        id: questionId,
        position,
        role: 'user',
        status: 'completed',
        content,
        mode: 'agent',
        finished_at: now,
        knowledge_base_ids_json: knowledgeBaseIds === null ? null : JSON.stringify(knowledgeBaseIds),
        lease_until: null
      },
      {
        ...common,
        id: answerId,
        position: position + 1,
        role: 'assistant',
        status: 'streaming',
        content: '',
        mode,
        finished_at: null,
        knowledge_base_ids_json: null,
        lease_until: leaseUntil
      }
    ])
    .execute()
}

async function listMessages(
  database: Kysely<BusinessSchema>,
  conversationId: string,
  page: PageRequest
): Promise<Page<StoredMessage>> {
  const rows = await database
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('position', '>', BEYOND_ALL - pageStart(page))
    .orderBy('position')
    .limit(page.limit + 1)
    .execute()
  const { total } = await database
    .selectFrom('message')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  const counted = rows.map((row) => ({ ...row, sequence: BEYOND_ALL - row.position }))
  return pageOfRows(counted, page, total, messageOfRow)
}

async function findMessage(
  database: Kysely<BusinessSchema>,
  { tenantId, userId }: ConversationOwner,
  messageId: string,
  conversationId?: string
): Promise<StoredMessage | undefined> {
  const row = await database
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .selectAll('message')
    .where('message.id', '=', messageId)
    .where('conversation.tenant_id', '=', tenantId)
    .where('conversation.user_id', '=', userId)
    .$if(conversationId !== undefined, (query) => query.where('conversation.id', '=', conversationId!))
    .executeTakeFirst()
  return row === undefined ? undefined : messageOfRow(row)
}

async function messageAt(
  database: Kysely<BusinessSchema>,
  conversationId: string,
  position: number
): Promise<StoredMessage | undefined> {
  const row = await database
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('position', '=', position)
    .executeTakeFirst()
  return row === undefined ? undefined : messageOfRow(row)
}

async function messagesBefore(
  database: Kysely<BusinessSchema>,
  conversationId: string,
  position: number,
  limit: number
): Promise<readonly StoredMessage[]> {
  const rows = await database
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('position', '<', position)
    .where('status', '!=', 'streaming')
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
  return rows.map(messageOfRow).toReversed()
}
