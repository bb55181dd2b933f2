import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { BusinessSchema } from './schema.ts'

export interface KnowledgeBase {
  readonly id: string
  readonly tenantId: string
  readonly name: string
}

export interface KnowledgeBaseFacts {
  /** Finds the tenant's knowledge base of that name, or makes it. Safe when several processes do so at once. */
  ensure(tenantId: string, name: string): Promise<KnowledgeBase>
  /** All knowledge bases of a tenant, oldest first. */
  ofTenant(tenantId: string): Promise<readonly KnowledgeBase[]>
}

export function knowledgeBaseFacts(database: Kysely<BusinessSchema>): KnowledgeBaseFacts {
  return {
    ensure: (tenantId, name) => ensureKnowledgeBase(database, tenantId, name),
    ofTenant: (tenantId) => knowledgeBasesOfTenant(database, tenantId)
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
    .values({ id: randomUUID(), tenant_id: tenantId, name, created_at: now, updated_at: now })
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
