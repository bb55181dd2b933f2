import type { DocumentAttributes, DocumentView, Failure } from '@oncall-agent/api-contracts'
import { type Kysely, sql } from 'kysely'
import { nameKeyOf } from './document-rows.ts'
import type { BusinessSchema } from './schema.ts'

/** What indexing found out about a version, all of it true of the version that the index now holds. */
export interface PublishedVersion {
  readonly documentId: string
  readonly version: number
  readonly title: string
  readonly text: string
  /** SHA-256 of the text, in hex. */
  readonly textHash: string
  readonly attributes: DocumentAttributes
  readonly metadata: DocumentView['metadata']
  readonly warnings: readonly string[]
  readonly chunkCount: number
}

/**
 * What happened to the indexing of a document. States of `index_status`:
 * asked: any → pending · taken-up: pending → indexing · failed: any → failed
 * ended, without a failure: → indexed when the newest version is the indexed one, else → pending
 */
export type IndexingEvent =
  | { readonly kind: 'asked' | 'taken-up' | 'ended' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The only place that moves `index_status`. A deleted document is left as it was. */
export async function moveIndexStatus(
  database: Kysely<BusinessSchema>,
  documentId: string,
  event: IndexingEvent
): Promise<void> {
  const settled = sql<'indexed' | 'pending'>`CASE WHEN indexed_version = version THEN 'indexed' ELSE 'pending' END`
  const status = { asked: 'pending', 'taken-up': 'indexing', failed: 'failed', ended: settled } as const
  await database
    .updateTable('document')
    .set({
      index_status: status[event.kind],
      failure_json: event.kind === 'failed' ? JSON.stringify(event.failure) : null
    })
    .where('id', '=', documentId)
    .where('status', '=', 'active')
    .execute()
}

/**
 * Writes down what the index holds now, with the text that its chunks and citations point into. False, and nothing is
 * written, when the document was deleted meanwhile. In the caller's transaction.
 */
export async function recordPublished(database: Kysely<BusinessSchema>, published: PublishedVersion): Promise<boolean> {
  const row = await database
    .selectFrom('document')
    .select('file_name')
    .where('id', '=', published.documentId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (row === undefined) return false
  const { numUpdatedRows } = await database
    .updateTable('document')
    .set({
      indexed_version: published.version,
      title: published.title,
      name_key: nameKeyOf(row.file_name, published.title),
      attributes_json: JSON.stringify(published.attributes),
      metadata_json: JSON.stringify(published.metadata),
      warnings_json: JSON.stringify(published.warnings),
      chunk_count: published.chunkCount
    })
    .where('id', '=', published.documentId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await recordText(database, published)
  return true
}

async function recordText(database: Kysely<BusinessSchema>, published: PublishedVersion): Promise<void> {
  await database
    .updateTable('document_version')
    .set({ title: published.title, text: published.text, text_hash: published.textHash })
    .where('document_id', '=', published.documentId)
    .where('version', '=', published.version)
    .execute()
}
