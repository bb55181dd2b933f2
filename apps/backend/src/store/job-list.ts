import type { Failure, JobStatus, JobView, Page, SystemSummary } from '@oncall-agent/api-contracts'
import { type Kysely, sql } from 'kysely'
import type { JobRow } from './job-moves.ts'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

const DAY_MS = 86_400_000

/** Jobs of all tenants, newest first. */
export async function listJobs(
  database: Kysely<BusinessSchema>,
  { status, ...page }: PageRequest & { readonly status?: JobStatus | undefined }
): Promise<Page<JobView>> {
  const all = database.selectFrom('job')
  const matching = status === undefined ? all : all.where('status', '=', status)
  const { total } = await matching.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .where('sequence', '<', pageStart(page))
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOfRows(rows, page, total, viewOf)
}

/** How much there is and how much waits. A job's waiting begins when it is due, not when it was made. */
export async function countJobs(database: Kysely<BusinessSchema>, now: number): Promise<SystemSummary['jobs']> {
  const { rows } = await sql<Counts>`
    SELECT
      (SELECT count(*) FROM job WHERE status = 'waiting') AS waiting,
      (SELECT count(*) FROM job WHERE status = 'running') AS running,
      (SELECT count(*) FROM job WHERE status = 'failed' AND finished_at > ${now - DAY_MS}) AS failed_last_day,
      (SELECT min(due_at) FROM job WHERE status = 'waiting' AND due_at <= ${now}) AS oldest_due_at`.execute(database)
  const { waiting = 0, running = 0, failed_last_day = 0, oldest_due_at = null } = rows[0] ?? {}
  return {
    waiting,
    running,
    failedLastDay: failed_last_day,
    oldestWaitingSeconds: oldest_due_at === null ? null : (now - oldest_due_at) / 1_000
  }
}

interface Counts {
  readonly waiting: number
  readonly running: number
  readonly failed_last_day: number
  readonly oldest_due_at: number | null
}

/** Forgets ended jobs. None ends before it is due except one that was withdrawn, so the index on `due_at` finds them. */
export async function purgeJobs(database: Kysely<BusinessSchema>, endedBefore: number, limit: number): Promise<number> {
  const ended = database
    .selectFrom('job')
    .select('id')
    .where('status', 'in', ['done', 'failed', 'cancelled'])
    .where('due_at', '<', endedBefore)
    .where('finished_at', '<', endedBefore)
    .limit(limit)
  const { numDeletedRows } = await database.deleteFrom('job').where('id', 'in', ended).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

function viewOf(row: JobRow): JobView {
  return {
    id: row.id,
    kind: row.kind,
    tenantId: row.tenant_id,
    subject: row.subject,
    status: row.status,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    dueAt: row.due_at,
    failure: row.failure_json === null ? null : (JSON.parse(row.failure_json) as Failure),
    createdAt: row.created_at,
    finishedAt: row.finished_at
  }
}

export async function openSubjects(
  database: Kysely<BusinessSchema>,
  kinds: readonly string[]
): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom('job')
    .select('subject')
    .where('status', 'in', ['waiting', 'running'])
    .where('kind', 'in', kinds)
    .execute()
  return new Set(rows.map(({ subject }) => subject))
}
