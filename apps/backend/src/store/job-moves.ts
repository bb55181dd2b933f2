import type { Kysely, Selectable, Updateable } from 'kysely'
import type { BusinessSchema } from './schema.ts'

export type JobRow = Selectable<BusinessSchema['job']>

interface Move {
  readonly from: JobRow['status']
  readonly to: JobRow['status']
  /** What it adds to the attempts. */
  readonly attempts: number
}

/** Everything that can happen to a job; jobs/README.md tells when. `done`, `failed` and `cancelled` are never left. */
const jobMoves = {
  take: { from: 'waiting', to: 'running', attempts: 1 },
  withdraw: { from: 'waiting', to: 'cancelled', attempts: 0 },
  finish: { from: 'running', to: 'done', attempts: 0 },
  fail: { from: 'running', to: 'failed', attempts: 0 },
  cancel: { from: 'running', to: 'cancelled', attempts: 0 },
  retryLater: { from: 'running', to: 'waiting', attempts: 0 },
  handBack: { from: 'running', to: 'waiting', attempts: -1 }
} as const satisfies Record<string, Move>

type JobMove = keyof typeof jobMoves

/** Which job, and what changes with its state. */
interface JobChange {
  readonly jobId: string
  /** Who moves a running job must hold its lease. */
  readonly token?: string
  readonly changes: Omit<Updateable<BusinessSchema['job']>, 'status' | 'attempts'>
}

/**
 * The only place that changes a job's state.
 * @returns the job as it is now; undefined when it was not in the state that the move begins in, or the lease is another's
 */
export async function moveJob(
  database: Kysely<BusinessSchema>,
  move: JobMove,
  { jobId, token, changes }: JobChange
): Promise<JobRow | undefined> {
  const { from, to, attempts }: Move = jobMoves[move]
  const noLease = to === 'running' ? {} : { lease_owner: null, lease_expires_at: null }
  const update = database
    .updateTable('job')
    .set((row) => ({ ...noLease, ...changes, status: to, attempts: row('attempts', '+', attempts) }))
    .where('id', '=', jobId)
    .where('status', '=', from)
  const held = token === undefined ? update : update.where('lease_owner', '=', token)
  return held.returningAll().executeTakeFirst()
}
