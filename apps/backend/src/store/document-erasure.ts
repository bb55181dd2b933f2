import type { Kysely } from 'kysely'
import type { BusinessSchema } from './schema.ts'

/** SQLite takes 32,766 values in one statement; a search asks for some dozens. */
const VALUES_AT_ONCE = 10_000

/** True when it was there and is deleted now. Its row stays, so that a hit of it can be told from a live one. */
export async function markDeleted(database: Kysely<BusinessSchema>, documentId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('document')
    .set({ status: 'deleted', deleted_at: now, updated_at: now })
    .where('id', '=', documentId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** All that a base holds; one statement, however many. */
export async function markDeletedInBase(
  database: Kysely<BusinessSchema>,
  knowledgeBaseId: string,
  now: number
): Promise<void> {
  await database
    .updateTable('document')
    .set({ status: 'deleted', deleted_at: now, updated_at: now })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Those of the documents that are deleted, or whose base is. An id that names no document is none of them. */
export async function deletedAmong(
  database: Kysely<BusinessSchema>,
  documentIds: readonly string[]
): Promise<ReadonlySet<string>> {
  const distinct = [...new Set(documentIds)]
  const deleted = new Set<string>()
  for (let from = 0; from < distinct.length; from += VALUES_AT_ONCE) {
    const rows = await deletedQuery(database, distinct.slice(from, from + VALUES_AT_ONCE)).execute()
    for (const { id } of rows) deleted.add(id)
  }
  return deleted
}

/** Exported so that a test can see how SQLite finds them. */
export function deletedQuery(database: Kysely<BusinessSchema>, documentIds: readonly string[]) {
  return database
    .selectFrom('document')
    .innerJoin('knowledge_base', 'knowledge_base.id', 'document.knowledge_base_id')
    .select('document.id')
    .where('document.id', 'in', documentIds)
    .where((where) =>
      where.or([where('document.status', '=', 'deleted'), where('knowledge_base.deleted_at', 'is not', null)])
    )
}

/**
 * Deleted documents of some bases that an index or a search engine may still have: they leave both before their rows go.
 * Mostly none, and each for a moment. `limit` of them at most, all where it is absent.
 */
export async function leavingIndex(
  database: Kysely<BusinessSchema>,
  knowledgeBaseIds: readonly string[],
  limit = Number.MAX_SAFE_INTEGER
): Promise<readonly string[]> {
  const leaving: string[] = []
  for (let from = 0; from < knowledgeBaseIds.length && leaving.length < limit; from += VALUES_AT_ONCE) {
    const rows = await database
      .selectFrom('document')
      .select('id')
      .where('knowledge_base_id', 'in', knowledgeBaseIds.slice(from, from + VALUES_AT_ONCE))
      .where('deleted_at', 'is not', null)
      .where((where) =>
        where.exists(where.selectFrom('document_version').select('version').whereRef('document_id', '=', 'document.id'))
      )
      .limit(limit - leaving.length)
      .execute()
    leaving.push(...rows.map(({ id }) => id))
  }
  return leaving
}

/** A deleted document of which something is left that nobody is going to take away. */
export interface StrandedDocument {
  readonly documentId: string
  readonly tenantId: string
  readonly knowledgeBaseId: string
  readonly fileName: string
}

/** Deleted documents that are still leaving, longest deleted first, without an open job of these kinds about them or their base. */
export async function strandedDeletions(
  database: Kysely<BusinessSchema>,
  jobKinds: readonly string[],
  limit: number
): Promise<readonly StrandedDocument[]> {
  const rows = await database
    .selectFrom('document')
    .select(['id', 'tenant_id', 'knowledge_base_id', 'file_name'])
    .where('deleted_at', 'is not', null)
    .where((where) =>
      where.exists(where.selectFrom('document_version').select('version').whereRef('document_id', '=', 'document.id'))
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('job')
            .select('job.id')
            .where('job.status', 'in', ['waiting', 'running'])
            .where('job.kind', 'in', jobKinds)
            .where((job) =>
              job.or([
                job('job.subject', '=', job.ref('document.id')),
                job('job.subject', '=', job.ref('document.knowledge_base_id'))
              ])
            )
        )
      )
    )
    .orderBy('deleted_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    documentId: row.id,
    tenantId: row.tenant_id,
    knowledgeBaseId: row.knowledge_base_id,
    fileName: row.file_name
  }))
}

/** Forgets the texts of a deleted document; it counts as leaving until `eraseContent`. */
export async function eraseTexts(database: Kysely<BusinessSchema>, documentId: string): Promise<void> {
  await database
    .updateTable('document_version')
    .set({ title: null, text: null, text_hash: null, form_json: '{}' })
    .where('document_id', '=', documentId)
    .where((where) =>
      where.exists(
        where.selectFrom('document').select('id').whereRef('id', '=', 'document_id').where('status', '=', 'deleted')
      )
    )
    .execute()
}

/** Forgets the versions of a deleted document, and with them that it is leaving. */
export async function eraseContent(database: Kysely<BusinessSchema>, documentId: string): Promise<void> {
  await database
    .deleteFrom('document_version')
    .where('document_id', '=', documentId)
    .where((where) =>
      where.exists(
        where.selectFrom('document').select('id').whereRef('id', '=', 'document_id').where('status', '=', 'deleted')
      )
    )
    .execute()
}

/** Forgets documents, with their tasks, that were deleted before a time and have no content left; at most `limit`. */
export async function eraseDeletedBefore(
  database: Kysely<BusinessSchema>,
  time: number,
  limit: number
): Promise<number> {
  const old = database
    .selectFrom('document')
    .select('id')
    .where('deleted_at', '<', time)
    .where((where) =>
      where.not(
        where.exists(where.selectFrom('document_version').select('version').whereRef('document_id', '=', 'document.id'))
      )
    )
    .limit(limit)
  const { numDeletedRows } = await database.deleteFrom('document').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
