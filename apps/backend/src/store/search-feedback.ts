import type { Kysely } from 'kysely'
import type { BusinessSchema, SearchStatusName } from './schema.ts'
import { JUDGED_KEPT_MS, type ShownDocument } from './searches.ts'

/** What a person says of one document of one of their searches. */
export interface Feedback {
  readonly searchId: string
  readonly userId: string
  readonly documentId: string
  readonly verdict: 'up' | 'down'
  readonly note: string | null
  readonly updatedAt: number
}

export interface VerdictCounts {
  readonly up: number
  readonly down: number
}

export interface FeedbackCounts extends VerdictCounts {
  /** Searches on record, and those of them that were judged. */
  readonly searches: number
  readonly judgedSearches: number
  readonly byStatus: readonly (VerdictCounts & { readonly status: SearchStatusName })[]
  /** The most often judged first; `shown` as the newest judged search showed it. */
  readonly documents: readonly (VerdictCounts & { readonly documentId: string; readonly shown: ShownDocument })[]
}

export interface FeedbackFacts {
  /** Stores a judgement in the place of an older one, and keeps its search longer. False when the search is gone. */
  give(feedback: Feedback): Promise<boolean>
  /** Of one person, or of everybody. @param documents how many of them are counted one by one */
  counts(userId: string | undefined, documents: number): Promise<FeedbackCounts>
}

export function feedbackFacts(database: Kysely<BusinessSchema>): FeedbackFacts {
  return {
    give: (feedback) => database.transaction().execute((transaction) => giveFeedback(transaction, feedback)),
    counts: (userId, documents) => countFeedback(database, userId, documents)
  }
}

async function giveFeedback(database: Kysely<BusinessSchema>, feedback: Feedback): Promise<boolean> {
  const { searchId, userId, documentId, verdict, note, updatedAt } = feedback
  const { numUpdatedRows } = await database
    .updateTable('search_record')
    .set({ kept_until: updatedAt + JUDGED_KEPT_MS })
    .where('id', '=', searchId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const judgement = { verdict, note, updated_at: updatedAt }
  await database
    .insertInto('search_feedback')
    .values({ search_id: searchId, user_id: userId, document_id: documentId, ...judgement })
    .onConflict((conflict) => conflict.columns(['search_id', 'user_id', 'document_id']).doUpdateSet(judgement))
    .execute()
  return true
}

async function countFeedback(
  database: Kysely<BusinessSchema>,
  userId: string | undefined,
  documents: number
): Promise<FeedbackCounts> {
  const { searches } = await database
    .selectFrom('search_record')
    .select((select) => select.fn.countAll<number>().as('searches'))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .executeTakeFirstOrThrow()
  const judged = feedbackOf(database, userId)
  const { judgedSearches } = await judged
    .select((select) => select.fn.count<number>('search_feedback.search_id').distinct().as('judgedSearches'))
    .executeTakeFirstOrThrow()
  const byStatus = await judged
    .select(['status', 'verdict', (select) => select.fn.countAll<number>().as('count')])
    .groupBy(['status', 'verdict'])
    .execute()
  const statuses = [...new Set(byStatus.map(({ status }) => status))].toSorted()
  const perStatus = statuses.map((status) => ({ status, ...sumOf(byStatus.filter((row) => row.status === status)) }))
  return {
    searches,
    judgedSearches,
    ...sumOf(byStatus),
    byStatus: perStatus,
    documents: await countDocuments(database, userId, documents)
  }
}

function sumOf(rows: readonly { readonly verdict: 'up' | 'down'; readonly count: number }[]): VerdictCounts {
  const sum = (verdict: string) =>
    rows.filter((row) => row.verdict === verdict).reduce((total, row) => total + row.count, 0)
  return { up: sum('up'), down: sum('down') }
}

function feedbackOf(database: Kysely<BusinessSchema>, userId: string | undefined) {
  return database
    .selectFrom('search_feedback')
    .innerJoin('search_record', 'search_record.id', 'search_feedback.search_id')
    .$if(userId !== undefined, (query) => query.where('search_feedback.user_id', '=', userId!))
}

async function countDocuments(
  database: Kysely<BusinessSchema>,
  userId: string | undefined,
  limit: number
): Promise<FeedbackCounts['documents']> {
  const rows = await feedbackOf(database, userId)
    .select([
      'document_id',
      (select) => select.fn.countAll<number>().as('count'),
      (select) => select.fn.countAll<number>().filterWhere('verdict', '=', 'up').as('up'),
      (select) => select.fn.max('search_record.sequence').as('newest')
    ])
    .groupBy('document_id')
    .orderBy('count', 'desc')
    .orderBy('document_id')
    .limit(limit)
    .execute()
  const searches = await database
    .selectFrom('search_record')
    .select(['sequence', 'shown_json'])
    .where(
      'sequence',
      'in',
      rows.map(({ newest }) => newest)
    )
    .execute()
  const shownIn = new Map(searches.map((row) => [row.sequence, JSON.parse(row.shown_json) as readonly ShownDocument[]]))
  return rows.flatMap(({ document_id: documentId, count, up, newest }) => {
    const shown = shownIn.get(newest)?.find((each) => each.documentId === documentId)
    return shown === undefined ? [] : [{ documentId, up, down: count - up, shown }]
  })
}
