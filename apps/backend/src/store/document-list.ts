import type { DocumentCounts, DocumentView, IndexStatus, Page } from '@oncall-agent/api-contracts'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { foldName, viewOfRow } from './document-rows.ts'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

export interface DocumentFilter {
  readonly knowledgeBaseId: string
  readonly indexStatus?: IndexStatus | undefined
  /** Part of the file name or the title, in any case. */
  readonly name?: string | undefined
}

type DocumentQuery = SelectQueryBuilder<BusinessSchema, 'document', object>

/** The documents of a base that match, none of them deleted. Exported so that a test can see how SQLite finds them. */
export function matchingDocuments(database: Kysely<BusinessSchema>, filter: DocumentFilter): DocumentQuery {
  const { knowledgeBaseId, indexStatus, name } = filter
  return database
    .selectFrom('document')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('deleted_at', 'is', null)
    .$if(indexStatus !== undefined, (query) => query.where('index_status', '=', indexStatus!))
    .$if(name !== undefined, (query) => query.where(sql<boolean>`instr(name_key, ${foldName(name!)}) > 0`))
}

/** One page of them and one row more, newest first. */
export function documentPage(database: Kysely<BusinessSchema>, filter: DocumentFilter, page: PageRequest) {
  return matchingDocuments(database, filter)
    .selectAll()
    .where('sequence', '<', pageStart(page))
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
}

/** `total` counts all that match: an index scan of the base, and one of its rows where a name is asked for. */
export async function listDocuments(
  database: Kysely<BusinessSchema>,
  filter: DocumentFilter,
  page: PageRequest
): Promise<Page<DocumentView>> {
  const rows = await documentPage(database, filter, page).execute()
  const { total } = await matchingDocuments(database, filter)
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return pageOfRows(rows, page, total, viewOfRow)
}

/** Of a base that has no document. */
const NONE: DocumentCounts = { total: 0, indexed: 0, indexing: 0, pending: 0, failed: 0 }

/** Documents of several bases by state, in one query; a base without documents counts nothing. */
export async function countDocuments(
  database: Kysely<BusinessSchema>,
  knowledgeBaseIds: readonly string[]
): Promise<ReadonlyMap<string, DocumentCounts>> {
  const counts = new Map(knowledgeBaseIds.map((id) => [id, NONE]))
  if (knowledgeBaseIds.length === 0) return counts
  const rows = await database
    .selectFrom('document')
    .select((of) => ['knowledge_base_id', 'index_status', of.fn.countAll<number>().as('count')])
    .where('knowledge_base_id', 'in', knowledgeBaseIds)
    .where('deleted_at', 'is', null)
    .groupBy(['knowledge_base_id', 'index_status'])
    .execute()
  for (const { knowledge_base_id: id, index_status: state, count } of rows) {
    const sofar = counts.get(id) ?? NONE
    counts.set(id, { ...sofar, [state]: count, total: sofar.total + count })
  }
  return counts
}
