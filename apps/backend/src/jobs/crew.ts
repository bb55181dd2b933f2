import { setTimeout as delay } from 'node:timers/promises'
import { concludeJob } from './conclude-job.ts'
import type { JobContext } from './job-context.ts'
import { reclaimJobs } from './reclaim-jobs.ts'
import { type JobRun, startRun } from './start-run.ts'
import { takeJob } from './take-job.ts'

/** The jobs that run in this process, and the places for more. */
export interface Crew {
  /** Tells runs of a wish to cancel, reclaims what others left behind, and fills the free places. */
  turn(): Promise<void>
  /** Aborts all runs. Resolves when all have let go, `settled` too, or after the grace time, which ends those left. */
  stop(settled: Promise<void>, graceMs: number): Promise<void>
}

export interface CrewOptions {
  readonly places: number
  /** Once it is aborted nothing new is started. */
  readonly stopping: AbortSignal
  readonly onFreePlace: () => void
}

export function createCrew(context: JobContext, { places, stopping, onFreePlace }: CrewOptions): Crew {
  const runs = new Set<JobRun>()
  const launch = async (run: JobRun): Promise<void> => {
    runs.add(run)
    await run.ended
    runs.delete(run)
    onFreePlace()
  }
  const fill = async (): Promise<void> => {
    while (runs.size < places && !stopping.aborted) {
      // The last of several places is for tenants with nothing under way: one person's book must not hold up a note of
      // somebody who comes later.
      const ofIdleTenants = places > 1 && runs.size === places - 1
      const taken = await takeJob(context, ofIdleTenants)
      if (taken === undefined) return
      if (taken === 'refused') continue
      context.tell('taken', taken.job)
      if (stopping.aborted) await concludeJob(context, taken, { result: 'stopped' })
      else void launch(startRun(context, taken))
    }
  }
  return {
    turn: async () => {
      await Promise.all([...runs].map((run) => run.look(false)))
      await reclaimJobs(context, runs)
      await fill()
    },
    stop: async (settled, graceMs) => {
      for (const run of runs) run.stop()
      const grace = new AbortController()
      const letGo = Promise.all([settled, ...[...runs].map((run) => run.ended)])
      await Promise.race([letGo, delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)])
      grace.abort()
      for (const run of runs) {
        const { id: jobId, kind } = run.leased.job
        context.logger.warn({ jobId, kind }, 'a job did not let go, its lease runs out')
        run.abandon()
      }
    }
  }
}
