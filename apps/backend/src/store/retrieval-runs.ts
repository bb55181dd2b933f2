import type { Kysely } from 'kysely'
import type { BusinessSchema } from './schema.ts'

/** What is kept of one retrieval, so that its answer can be explained after the documents have changed. */
export interface StoredRun {
  readonly runId: string
  readonly tenantId: string
  readonly userId: string
  readonly createdAt: number
  readonly query: string
  readonly outcome: 'ok' | 'empty' | 'failed'
  /** Scope, index version, models, stages, every candidate: the room decides the shape. */
  readonly record: unknown
}

export async function insertRun(database: Kysely<BusinessSchema>, run: StoredRun): Promise<void> {
  await database
    .insertInto('retrieval_run')
    .values({
      id: run.runId,
      tenant_id: run.tenantId,
      user_id: run.userId,
      created_at: run.createdAt,
      query: run.query,
      outcome: run.outcome,
      record_json: JSON.stringify(run.record)
    })
    .execute()
}

/** Undefined when there is none, or when it is another tenant's. */
export async function findRun(
  database: Kysely<BusinessSchema>,
  tenantId: string,
  runId: string
): Promise<StoredRun | undefined> {
  const row = await database
    .selectFrom('retrieval_run')
    .selectAll()
    .where('id', '=', runId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    runId: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    createdAt: row.created_at,
    query: row.query,
    outcome: row.outcome,
    record: JSON.parse(row.record_json) as unknown
  }
}

/** Forgets runs made before `olderThan` (milliseconds since the epoch); returns how many. */
export async function pruneRuns(database: Kysely<BusinessSchema>, olderThan: number): Promise<number> {
  const result = await database.deleteFrom('retrieval_run').where('created_at', '<', olderThan).executeTakeFirst()
  return Number(result.numDeletedRows)
}
