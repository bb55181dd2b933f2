import type { BusinessTables, Holding, LeasedJob } from '../store/index.ts'
import type { Job, JobOutcome } from './job.ts'
import { handlerOf, type JobContext, type JobEventName } from './job-context.ts'
import { type Fault, faultOf, waitAfter } from './retry-policy.ts'

/** How an attempt went. */
export type Attempt =
  | { readonly result: 'finished' }
  | { readonly result: 'failed'; readonly fault: Fault }
  /** The worker stops: nobody is at fault. */
  | { readonly result: 'stopped' }

/** Where the job goes from here. */
type Next = JobOutcome | { readonly status: 'later'; readonly fault: Fault } | { readonly status: 'now' }

/**
 * Moves a job out of `running`, and lets its handler end what it is about in the same transaction. When that throws, the
 * job has not ended: it is tried again later, and the attempt counts.
 * @param applies looks at the lease inside the transaction; false leaves everything as it is
 */
export async function concludeJob(
  context: JobContext,
  { job, lease }: LeasedJob,
  attempt: Attempt,
  applies: (holding: Holding) => boolean = () => true
): Promise<void> {
  const event = await tryToConclude(context, { job, lease }, attempt, applies).catch(async (thrown: unknown) => {
    context.logger.error({ err: thrown, jobId: job.id, kind: job.kind }, 'a job could not be ended, it is tried again')
    const fault = faultOf(thrown)
    const isMoved = await context.store.jobs.retryLater(lease, dueAgain(context, job, fault), fault.failure)
    return isMoved ? 'retried' : 'lost'
  })
  context.tell(event, job)
}

function tryToConclude(
  context: JobContext,
  leased: LeasedJob,
  attempt: Attempt,
  applies: (holding: Holding) => boolean
): Promise<JobEventName> {
  return context.store.transaction(async (tables) => {
    const holding = await tables.jobs.holding(leased.lease)
    if (holding === undefined || !applies(holding)) return 'lost'
    return moveOn(context, tables, leased, nextOf(leased.job, attempt, holding.cancelRequested))
  })
}

/** Work that is done is done, even if it was to be cancelled; else a person's wish to cancel goes before all. */
function nextOf(job: Job, attempt: Attempt, cancelRequested: boolean): Next {
  if (attempt.result === 'finished') return { status: 'done' }
  if (cancelRequested) return { status: 'cancelled' }
  if (attempt.result === 'stopped') return { status: 'now' }
  const { fault } = attempt
  if (fault.retryable && job.attempt < job.maxAttempts) return { status: 'later', fault }
  return { status: 'failed', failure: fault.failure }
}

async function moveOn(
  context: JobContext,
  tables: BusinessTables,
  { job, lease }: LeasedJob,
  next: Next
): Promise<JobEventName> {
  const now = context.now()
  if (next.status === 'now') {
    await tables.jobs.handBack(lease, now)
    return 'handed-back'
  }
  if (next.status === 'later') {
    await tables.jobs.retryLater(lease, dueAgain(context, job, next.fault), next.fault.failure)
    return 'retried'
  }
  await tables.jobs.end(lease, next, now)
  await handlerOf(context, job).settle?.(job, next, tables)
  return next.status
}

function dueAgain({ now, backOff }: JobContext, { attempt }: Job, fault: Fault): number {
  return now() + waitAfter(attempt, fault.backOff ?? backOff, Math.random())
}
