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

/** Milliseconds that a run is kept: 90 days are enough for the review after an incident, and bound the file. */
const RUNS_KEPT_MS = 90 * 24 * 60 * 60 * 1000

export interface RunFacts {
  /** Stores a run, and forgets those that are older than runs are kept. */
  insert(run: StoredRun): Promise<void>
  /** Undefined when there is none, or when it is another tenant's. */
  find(tenantId: string, runId: string): Promise<StoredRun | undefined>
}

/**
 * @param written a connection whose commits need not wait for the disk
 * @param facts the connection of everything else. It is held while a run is written: with a transaction open on it,
 * `written` would wait for the lock on the very thread that alone can end that transaction, until the busy timeout.
 */
export function runFacts(written: Kysely<BusinessSchema>, facts: Kysely<BusinessSchema>): RunFacts {
  return {
    insert: (run) => facts.connection().execute(() => insertRun(written, run)),
    find: (tenantId, runId) => findRun(facts, tenantId, runId)
  }
}

/** Stores a run; those that are older than it by more than `RUNS_KEPT_MS` go in the same transaction. */
async function insertRun(database: Kysely<BusinessSchema>, run: StoredRun): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('retrieval_run')
      .where('created_at', '<', run.createdAt - RUNS_KEPT_MS)
      .execute()
    await transaction
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
  })
}

async function findRun(
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
