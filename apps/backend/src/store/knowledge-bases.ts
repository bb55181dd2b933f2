import { randomUUID } from 'node:crypto'
import type { Page } from '@oncall-agent/api-contracts'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'
import { type Visibility, visibleTo } from './sharing.ts'

export interface KnowledgeBase {
  readonly id: string
  readonly tenantId: string
  readonly name: string
}

/** A knowledge base as its people see it. */
export interface StoredBase extends KnowledgeBase {
  readonly description: string
  readonly createdAt: number
  readonly updatedAt: number
}

export type NewBase = KnowledgeBase & Pick<StoredBase, 'description'>

export interface BaseChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
}

export interface KnowledgeBaseFacts {
  /** Finds the tenant's knowledge base of that name, or makes it. Safe when several processes do so at once. */
  ensure(tenantId: string, name: string): Promise<KnowledgeBase>
  /** All knowledge bases of a tenant, oldest first. */
  ofTenant(tenantId: string): Promise<readonly KnowledgeBase[]>
  /** Undefined when it is deleted, too. */
  find(knowledgeBaseId: string): Promise<StoredBase | undefined>
  /** Undefined also when it is not theirs to know. */
  findVisible(to: Visibility, knowledgeBaseId: string): Promise<StoredBase | undefined>
  /** Of all tenants, deleted ones too, for who compares the facts with the index. */
  every(): Promise<readonly KnowledgeBase[]>
  /** Newest first, no deleted one. */
  visible(to: Visibility, page: PageRequest): Promise<Page<StoredBase>>
  /** The id of the tenant's base that has the name. */
  named(tenantId: string, name: string): Promise<string | undefined>
  /** The name must be free (`named`). */
  insert(base: NewBase, now: number): Promise<void>
  /** A new name must be free. */
  change(knowledgeBaseId: string, change: BaseChange, now: number): Promise<void>
  /** Its name is free from then on. True when it was there. */
  markDeleted(knowledgeBaseId: string, now: number): Promise<boolean>
}

export function knowledgeBaseFacts(database: Kysely<BusinessSchema>): KnowledgeBaseFacts {
  return {
    ensure: (tenantId, name) => ensureKnowledgeBase(database, tenantId, name),
    ofTenant: (tenantId) => knowledgeBasesOfTenant(database, tenantId),
    find: (id) => findBase(database, id),
    findVisible: (to, id) => findVisibleBase(database, to, id),
    every: () => everyBase(database),
    visible: (to, page) => visibleBases(database, to, page),
    named: (tenantId, name) => baseNamed(database, tenantId, name),
    insert: (base, now) => insertBase(database, base, now),
    change: (id, change, now) => changeBase(database, id, change, now),
    markDeleted: (id, now) => markBaseDeleted(database, id, now)
  }
}

async function ensureKnowledgeBase(
  database: Kysely<BusinessSchema>,
  tenantId: string,
  name: string
): Promise<KnowledgeBase> {
  const now = Date.now()
  await database
    .insertInto('knowledge_base')
    .values({ id: randomUUID(), tenant_id: tenantId, name, created_at: ofItsOwn(now), updated_at: now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).where('deleted_at', 'is', null).doNothing())
    .execute()
  const row = await database
    .selectFrom('knowledge_base')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { id: row.id, name: row.name, tenantId }
}

async function knowledgeBasesOfTenant(
  database: Kysely<BusinessSchema>,
  tenantId: string
): Promise<readonly KnowledgeBase[]> {
  const rows = await database
    .selectFrom('knowledge_base')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name, tenantId }))
}

/** Each base has a creation time of its own: it is the list's cursor. */
function ofItsOwn(now: number) {
  return sql<number>`max(${now}, coalesce((SELECT max(created_at) + 1 FROM knowledge_base), 0))`
}

function baseOf(row: Selectable<BusinessSchema['knowledge_base']>): StoredBase {
  const { id, name, description } = row
  return { id, tenantId: row.tenant_id, name, description, createdAt: row.created_at, updatedAt: row.updated_at }
}

async function findBase(database: Kysely<BusinessSchema>, id: string): Promise<StoredBase | undefined> {
  const row = await database
    .selectFrom('knowledge_base')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? undefined : baseOf(row)
}

async function findVisibleBase(
  database: Kysely<BusinessSchema>,
  to: Visibility,
  id: string
): Promise<StoredBase | undefined> {
  const row = await visibleTo(database, to).selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : baseOf(row)
}

async function everyBase(database: Kysely<BusinessSchema>): Promise<readonly KnowledgeBase[]> {
  return database
    .selectFrom('knowledge_base')
    .select(['id', 'tenant_id as tenantId', 'name'])
    .orderBy('created_at')
    .execute()
}

async function visibleBases(
  database: Kysely<BusinessSchema>,
  to: Visibility,
  page: PageRequest
): Promise<Page<StoredBase>> {
  const rows = await visibleTo(database, to)
    .selectAll()
    .select('created_at as sequence')
    .where('created_at', '<', pageStart(page))
    .orderBy('created_at', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { total } = await visibleTo(database, to)
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return pageOfRows(rows, page, total, baseOf)
}

async function baseNamed(
  database: Kysely<BusinessSchema>,
  tenantId: string,
  name: string
): Promise<string | undefined> {
  const row = await database
    .selectFrom('knowledge_base')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

async function insertBase(
  database: Kysely<BusinessSchema>,
  { id, tenantId, name, description }: NewBase,
  now: number
): Promise<void> {
  await database
    .insertInto('knowledge_base')
    .values({ id, tenant_id: tenantId, name, description, created_at: ofItsOwn(now), updated_at: now })
    .execute()
}

async function changeBase(
  database: Kysely<BusinessSchema>,
  id: string,
  { name, description }: BaseChange,
  now: number
): Promise<void> {
  await database
    .updateTable('knowledge_base')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      updated_at: now
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

async function markBaseDeleted(database: Kysely<BusinessSchema>, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('knowledge_base')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
