import type { Kysely } from 'kysely'
import type { BusinessSchema, SearchStatusName } from './schema.ts'

/** What is kept of one structured search: enough to judge its documents, and to ask it again when settings are tuned. */
export interface StoredSearch {
  readonly searchId: string
  readonly tenantId: string
  readonly userId: string
  readonly createdAt: number
  readonly status: SearchStatusName
  /** As it was asked for, what it was confined to and what it was made with: the room decides the shapes. */
  readonly request: unknown
  readonly scope: unknown
  readonly settings: unknown
  /** The documents of the answer, best first. */
  readonly shown: readonly ShownDocument[]
}

export interface ShownDocument {
  readonly documentId: string
  readonly knowledgeBaseId: string
  readonly title: string
  /** Place among all that matched, from 1. */
  readonly rank: number
}

export interface JudgedRecord extends StoredSearch {
  readonly verdicts: readonly { readonly documentId: string; readonly verdict: 'up' | 'down' }[]
}

const DAY_MS = 24 * 60 * 60 * 1000
/** As runs of retrieval. */
const SEARCHES_KEPT_MS = 90 * DAY_MS
/** A judged one is worth more: settings are tuned by a year of them. */
export const JUDGED_KEPT_MS = 365 * DAY_MS
/** Rows read at once: some megabytes. */
const BATCH = 500

export interface SearchFacts {
  /** Stores a search, and forgets those that are older than searches are kept. */
  insert(search: StoredSearch): Promise<void>
  /** Undefined when there is none, or when it is another person's. */
  find(owner: SearchOwner, searchId: string): Promise<StoredSearch | undefined>
  /** Every search that somebody judged, with the verdicts, oldest first. */
  judged(): Promise<readonly JudgedRecord[]>
}

export interface SearchOwner {
  readonly tenantId: string
  readonly userId: string
}

/**
 * @param written a connection whose commits need not wait for the disk
 * @param facts the connection of everything else, held while a search is written: see `runFacts`
 */
export function searchFacts(written: Kysely<BusinessSchema>, facts: Kysely<BusinessSchema>): SearchFacts {
  return {
    insert: (search) => facts.connection().execute(() => insertSearch(written, search)),
    find: (owner, searchId) => findSearch(facts, owner, searchId),
    judged: () => judgedSearches(facts)
  }
}

async function insertSearch(database: Kysely<BusinessSchema>, search: StoredSearch): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('search_record').where('kept_until', '<', search.createdAt).execute()
    await transaction
      .insertInto('search_record')
      .values({
        id: search.searchId,
        tenant_id: search.tenantId,
        user_id: search.userId,
        created_at: search.createdAt,
        kept_until: search.createdAt + SEARCHES_KEPT_MS,
        status: search.status,
        request_json: JSON.stringify(search.request),
        scope_json: JSON.stringify(search.scope),
        settings_json: JSON.stringify(search.settings),
        shown_json: JSON.stringify(search.shown)
      })
      .execute()
  })
}

async function findSearch(
  database: Kysely<BusinessSchema>,
  { tenantId, userId }: SearchOwner,
  searchId: string
): Promise<StoredSearch | undefined> {
  const row = await database
    .selectFrom('search_record')
    .selectAll()
    .where('id', '=', searchId)
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? undefined : searchOfRow(row)
}

async function judgedSearches(database: Kysely<BusinessSchema>): Promise<readonly JudgedRecord[]> {
  const judged: JudgedRecord[] = []
  let after = 0
  for (;;) {
    const rows = await database
      .selectFrom('search_record')
      .selectAll()
      .where('sequence', '>', after)
      .where((where) =>
        where.exists(
          where.selectFrom('search_feedback').select('verdict').whereRef('search_id', '=', 'search_record.id')
        )
      )
      .orderBy('sequence')
      .limit(BATCH)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return judged
    after = last.sequence
    const verdicts = await database
      .selectFrom('search_feedback')
      .select(['search_id', 'document_id', 'verdict'])
      .where(
        'search_id',
        'in',
        rows.map(({ id }) => id)
      )
      .orderBy('document_id')
      .execute()
    for (const row of rows) {
      const own = verdicts.filter((each) => each.search_id === row.id)
      judged.push({
        ...searchOfRow(row),
        verdicts: own.map(({ document_id: documentId, verdict }) => ({ documentId, verdict }))
      })
    }
  }
}

interface SearchRow {
  readonly id: string
  readonly tenant_id: string
  readonly user_id: string
  readonly created_at: number
  readonly status: SearchStatusName
  readonly request_json: string
  readonly scope_json: string
  readonly settings_json: string
  readonly shown_json: string
}

function searchOfRow(row: SearchRow): StoredSearch {
  return {
    searchId: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    createdAt: row.created_at,
    status: row.status,
    request: JSON.parse(row.request_json) as unknown,
    scope: JSON.parse(row.scope_json) as unknown,
    settings: JSON.parse(row.settings_json) as unknown,
    shown: JSON.parse(row.shown_json) as readonly ShownDocument[]
  }
}
