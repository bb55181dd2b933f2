import { concludeJob } from './conclude-job.ts'
import type { JobContext } from './job-context.ts'
import type { JobRun } from './start-run.ts'
import { interrupted } from './retry-policy.ts'

/** Jobs that one turn reclaims; after the crash of a busy process the rest follow a second later. */
const RECLAIMED_PER_TURN = 50

/**
 * Ends the attempts whose lease has run out: their process was killed, or stalls. They wait for another attempt, or have
 * failed for good when they had their last. Nothing that one of them does holds up the others.
 */
export async function reclaimJobs(context: JobContext, own: ReadonlySet<JobRun>): Promise<void> {
  const expired = await context.store.jobs.expired(context.kinds, context.now(), RECLAIMED_PER_TURN)
  for (const leased of expired) {
    // This very process had stalled. Nobody has taken the job from it, so it goes on.
    const mine = [...own].find((run) => run.leased.lease.token === leased.lease.token)
    if (mine) {
      await mine.look(true)
      continue
    }
    try {
      await concludeJob(
        context,
        leased,
        { result: 'failed', fault: interrupted },
        // Its process may have come back to life in between.
        ({ expiresAt }) => expiresAt <= context.now()
      )
    } catch (err) {
      context.logger.error({ err, jobId: leased.job.id, kind: leased.job.kind }, 'a job could not be reclaimed')
    }
  }
}
