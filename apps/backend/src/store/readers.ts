import type { Kysely } from 'kysely'
import type { BusinessSchema } from './schema.ts'

/** A knowledge base, with the tenant whose data it is. */
export interface ReadableBase {
  readonly tenantId: string
  readonly knowledgeBaseId: string
}

export interface ReaderFacts {
  /**
   * The knowledge bases that a person may read: their own, those that others share with them, and all of `tenantIds`;
   * each once, oldest first, no deleted one.
   */
  readableBases(userId: string, tenantIds?: readonly string[]): Promise<readonly ReadableBase[]>
}

export function readerFacts(database: Kysely<BusinessSchema>): ReaderFacts {
  return { readableBases: (userId, tenantIds = []) => readableBases(database, userId, tenantIds) }
}

async function readableBases(
  database: Kysely<BusinessSchema>,
  userId: string,
  tenantIds: readonly string[]
): Promise<readonly ReadableBase[]> {
  return database
    .selectFrom('knowledge_base')
    .select(['tenant_id as tenantId', 'id as knowledgeBaseId'])
    .where('deleted_at', 'is', null)
    .where((is) =>
      is.or([
        is('tenant_id', 'in', [userId, ...tenantIds]),
        is('id', 'in', (shared) =>
          shared.selectFrom('knowledge_base_reader').select('knowledge_base_id').where('user_id', '=', userId)
        )
      ])
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
