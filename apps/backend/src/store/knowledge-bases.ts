import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { BusinessSchema } from './schema.ts'

export interface KnowledgeBase {
  readonly id: string
  readonly tenantId: string
  readonly name: string
}

/** Finds the tenant's knowledge base of that name, or makes it. Safe when several processes do so at once. */
export async function ensureKnowledgeBase(
  database: Kysely<BusinessSchema>,
  tenantId: string,
  name: string
): Promise<KnowledgeBase> {
  await database
    .insertInto('knowledge_base')
    .values({ id: randomUUID(), tenant_id: tenantId, name, created_at: Date.now() })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
    .execute()
  const row = await database
    .selectFrom('knowledge_base')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return { id: row.id, name: row.name, tenantId }
}

/** All knowledge bases of a tenant, oldest first. */
export async function listKnowledgeBases(
  database: Kysely<BusinessSchema>,
  tenantId: string
): Promise<readonly KnowledgeBase[]> {
  const rows = await database
    .selectFrom('knowledge_base')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name, tenantId }))
}
