import type { Conversation, Page } from '@oncall-agent/api-contracts'
import { type Kysely, type Selectable, sql } from 'kysely'
import { nextSequence } from './next-sequence.ts'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

/** Whose conversations they are; nobody else knows of them. */
export interface ConversationOwner {
  readonly tenantId: string
  readonly userId: string
}

interface Titled {
  /** Empty while nothing names it. */
  readonly title: string
  readonly now: number
}

interface NewConversation extends Titled {
  readonly id: string
}

export interface ConversationFacts {
  insert(owner: ConversationOwner, conversation: NewConversation): Promise<void>
  /** The last changed first. */
  list(owner: ConversationOwner, page: PageRequest): Promise<Page<Conversation>>
  /** Undefined also when it is another person's. */
  find(owner: ConversationOwner, conversationId: string): Promise<Conversation | undefined>
  /** False when it is not theirs, or not there. */
  rename(owner: ConversationOwner, conversationId: string, title: Titled): Promise<boolean>
  /** With its messages and what was said of them. False as `rename`. */
  remove(owner: ConversationOwner, conversationId: string): Promise<boolean>
}

export function conversationFacts(database: Kysely<BusinessSchema>): ConversationFacts {
  return {
    insert: (owner, conversation) => insertConversation(database, owner, conversation),
    list: (owner, page) => listConversations(database, owner, page),
    find: (owner, id) => findConversation(database, owner, id),
    rename: (owner, id, titled) => renameConversation(database, owner, id, titled),
    remove: (owner, id) => removeConversation(database, owner, id)
  }
}

async function insertConversation(
  database: Kysely<BusinessSchema>,
  { tenantId, userId }: ConversationOwner,
  { id, title, now }: NewConversation
): Promise<void> {
  const times = { created_at: now, updated_at: now, deleted_at: null }
  await database
    .insertInto('conversation')
    .values({ id, sequence: nextSequence('conversation'), tenant_id: tenantId, user_id: userId, title, ...times })
    .execute()
}

async function listConversations(
  database: Kysely<BusinessSchema>,
  owner: ConversationOwner,
  page: PageRequest
): Promise<Page<Conversation>> {
  const rows = await counted(owned(database, owner))
    .where('sequence', '<', pageStart(page))
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { total } = await owned(database, owner)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return pageOfRows(rows, page, total, conversationOf)
}

async function findConversation(
  database: Kysely<BusinessSchema>,
  owner: ConversationOwner,
  conversationId: string
): Promise<Conversation | undefined> {
  const row = await counted(owned(database, owner)).where('id', '=', conversationId).executeTakeFirst()
  return row === undefined ? undefined : conversationOf(row)
}

/** A change moves it to the front of the list: the sequence is that of the last change. */
async function renameConversation(
  database: Kysely<BusinessSchema>,
  { tenantId, userId }: ConversationOwner,
  conversationId: string,
  { title, now }: Titled
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('conversation')
    .set({ title, updated_at: now, sequence: nextSequence('conversation') })
    .where('id', '=', conversationId)
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function removeConversation(
  database: Kysely<BusinessSchema>,
  { tenantId, userId }: ConversationOwner,
  conversationId: string
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('conversation')
    .where('id', '=', conversationId)
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

function owned(database: Kysely<BusinessSchema>, { tenantId, userId }: ConversationOwner) {
  return database.selectFrom('conversation').where('tenant_id', '=', tenantId).where('user_id', '=', userId)
}

function counted(query: ReturnType<typeof owned>) {
  return query
    .selectAll()
    .select(sql<number>`(SELECT count(*) FROM message WHERE message.conversation_id = conversation.id)`.as('messages'))
}

type ConversationRow = Selectable<BusinessSchema['conversation']> & { readonly messages: number }

function conversationOf({ id, title, messages, created_at, updated_at }: ConversationRow): Conversation {
  return { id, title, messages, createdAt: created_at, updatedAt: updated_at }
}
