import type { LeasedJob } from '../store/index.ts'
import { concludeJob } from './conclude-job.ts'
import { handlerOf, type JobContext } from './job-context.ts'
import type { Job } from './job.ts'
import { type Fault, faultOf } from './retry-policy.ts'

/**
 * Takes up the job whose turn it is, and lets its handler begin in the same transaction.
 * @param ofIdleTenants only of tenants none of whose jobs runs now
 * @returns `refused` when the handler would not begin: that attempt is over and there may be other jobs; undefined when
 * no job is due
 */
export async function takeJob(context: JobContext, ofIdleTenants: boolean): Promise<LeasedJob | 'refused' | undefined> {
  const { store, kinds } = context
  if (!(await store.jobs.hasDue({ kinds, now: context.now(), ofIdleTenants }))) return undefined
  let refusal: { readonly job: Job; readonly thrown: unknown } | undefined
  try {
    return await store.transaction(async (tables) => {
      const taken = await tables.jobs.claim({ kinds, now: context.now(), leaseMs: context.leaseMs, ofIdleTenants })
      // An attempt beyond the last only ends the job (see start-run.ts).
      if (taken === undefined || isBeyondLast(taken.job)) return taken
      try {
        await handlerOf(context, taken.job).begin?.(taken.job, tables)
      } catch (thrown) {
        refusal = { job: taken.job, thrown }
        throw thrown
      }
      return taken
    })
  } catch (thrown) {
    if (refusal === undefined) throw thrown
    context.logger.error({ err: refusal.thrown, jobId: refusal.job.id, kind: refusal.job.kind }, 'a job did not begin')
    await countRefusal(context, refusal.job, faultOf(refusal.thrown))
    return 'refused'
  }
}

/** Its settling failed when its attempts were used up. */
export function isBeyondLast({ attempt, maxAttempts }: Job): boolean {
  return attempt > maxAttempts
}

/** Taking it up was undone with what the handler began. Were it not counted, the same job would be next for ever. */
async function countRefusal(context: JobContext, job: Job, fault: Fault): Promise<void> {
  const { kinds, leaseMs } = context
  const taken = await context.store.jobs.claim({ kinds, now: context.now(), leaseMs, jobId: job.id })
  if (taken !== undefined) await concludeJob(context, taken, { result: 'failed', fault })
}
