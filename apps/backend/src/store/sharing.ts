import type { Page, Reader } from '@oncall-agent/api-contracts'
import { type Kysely, sql } from 'kysely'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

/** A knowledge base, with the tenant whose data it is. */
export interface ReadableBase {
  readonly tenantId: string
  readonly knowledgeBaseId: string
}

/** What somebody may read: all of these tenants, and what is shared with this person. */
export interface Visibility {
  readonly userId: string
  readonly tenantIds: readonly string[]
}

/** Whom the owners of knowledge bases let read, and what that makes readable. */
export interface SharingFacts {
  /** Each once, oldest first, no deleted one. */
  readableBases(to: Visibility): Promise<readonly ReadableBase[]>
  /** Those who may read a base, the newest grant first. */
  readersOf(knowledgeBaseId: string, page: PageRequest): Promise<Page<Reader>>
  /** Once more is the same as once. */
  grant(knowledgeBaseId: string, userId: string, now: number): Promise<Reader | undefined>
  /** False when they were no reader. */
  revoke(knowledgeBaseId: string, userId: string): Promise<boolean>
}

export function sharingFacts(database: Kysely<BusinessSchema>): SharingFacts {
  return {
    readableBases: (to) => readableBases(database, to),
    readersOf: (baseId, page) => readersOf(database, baseId, page),
    grant: (baseId, userId, now) => grant(database, { baseId, userId, now }),
    revoke: (baseId, userId) => revoke(database, baseId, userId)
  }
}

/** The one query of who may read which knowledge base; no deleted one. */
export function visibleTo(database: Kysely<BusinessSchema>, { userId, tenantIds }: Visibility) {
  const shared = database.selectFrom('knowledge_base_reader').select('knowledge_base_id').where('user_id', '=', userId)
  return database
    .selectFrom('knowledge_base')
    .where('deleted_at', 'is', null)
    .where((is) => is.or([is('tenant_id', 'in', tenantIds), is('id', 'in', shared)]))
}

async function readableBases(database: Kysely<BusinessSchema>, to: Visibility): Promise<readonly ReadableBase[]> {
  return visibleTo(database, to)
    .select(['tenant_id as tenantId', 'id as knowledgeBaseId'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** People who were removed altogether are gone from here by the foreign key. */
function readers(database: Kysely<BusinessSchema>, knowledgeBaseId: string) {
  return database
    .selectFrom('knowledge_base_reader')
    .innerJoin('user', 'user.id', 'knowledge_base_reader.user_id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
}

async function readersOf(
  database: Kysely<BusinessSchema>,
  knowledgeBaseId: string,
  page: PageRequest
): Promise<Page<Reader>> {
  const rows = await readers(database, knowledgeBaseId)
    .select(['granted_at as sequence', 'user_id', 'username'])
    .where('granted_at', '<', pageStart(page))
    .orderBy('granted_at', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { total } = await readers(database, knowledgeBaseId)
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return pageOfRows(rows, page, total, ({ user_id: userId, username, sequence: grantedAt }) => {
    return { userId, username, grantedAt }
  })
}

async function findReader(
  database: Kysely<BusinessSchema>,
  knowledgeBaseId: string,
  userId: string
): Promise<Reader | undefined> {
  return readers(database, knowledgeBaseId)
    .select(['user_id as userId', 'username', 'granted_at as grantedAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

interface Grant {
  readonly baseId: string
  readonly userId: string
  readonly now: number
}

/** Each grant of a base has a time of its own: it is the list's cursor. */
async function grant(database: Kysely<BusinessSchema>, { baseId, userId, now }: Grant): Promise<Reader | undefined> {
  const ofItsOwn = sql<number>`max(${now}, coalesce((SELECT max(granted_at) + 1 FROM knowledge_base_reader
    WHERE knowledge_base_id = ${baseId}), 0))`
  await database
    .insertInto('knowledge_base_reader')
    .values({ knowledge_base_id: baseId, user_id: userId, granted_at: ofItsOwn })
    .onConflict((conflict) => conflict.columns(['knowledge_base_id', 'user_id']).doNothing())
    .execute()
  return findReader(database, baseId, userId)
}

async function revoke(database: Kysely<BusinessSchema>, knowledgeBaseId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('knowledge_base_reader')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
