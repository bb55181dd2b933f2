import { AppError } from '@oncall-agent/api-contracts'
import type { LeasedJob } from '../store/index.ts'
import { type Attempt, concludeJob } from './conclude-job.ts'
import { handlerOf, type JobContext } from './job-context.ts'
import { faultOf } from './retry-policy.ts'
import { isBeyondLast } from './take-job.ts'

/** A lease is extended this often while it lasts: two extensions in a row may fail without losing it. */
const HEARTBEATS_PER_LEASE = 3

/** Why the handler's signal was aborted. */
type AbortReason = 'cancelled' | 'lost' | 'stopped'

/** One attempt at a job in this process. */
export interface JobRun {
  readonly leased: LeasedJob
  /** Never rejects. */
  readonly ended: Promise<void>
  /** Looks whether the job is to be cancelled; `extend` keeps the lease, too. */
  look(extend: boolean): Promise<void>
  /** Aborts the handler; the job is handed back when the handler has let go. */
  stop(): void
  /** The handler did not let go in time: its result is forgotten and the lease runs out. */
  abandon(): void
}

/** Calls the handler, keeps the lease meanwhile, and ends the job when the handler has come back. */
export function startRun(context: JobContext, leased: LeasedJob): JobRun {
  const { job, lease } = leased
  const { store, leaseMs, now, logger } = context
  const controller = new AbortController()
  let reason: AbortReason | undefined
  let isOver = false
  let leaseEnds = now() + leaseMs

  const abort = (why: AbortReason): void => {
    if (isOver) return
    // A lost lease goes before the other reasons, since nothing may be written any more.
    if (reason === undefined || why === 'lost') reason = why
    controller.abort(new AppError('CANCELLED', { operation: `run job ${job.kind}`, subject: job.id }))
  }
  const look = async (extend: boolean): Promise<void> => {
    const until = now() + leaseMs
    try {
      const holding = extend ? await store.jobs.heartbeat(lease, until) : await store.jobs.holding(lease)
      if (holding === undefined) return abort('lost')
      leaseEnds = holding.expiresAt
      if (holding.cancelRequested) abort('cancelled')
    } catch (err) {
      logger.error({ err, jobId: job.id, kind: job.kind }, 'the lease of a job could not be read or extended')
      // Till then nobody else may have it, and the next heartbeat may succeed.
      if (now() >= leaseEnds) abort('lost')
    }
  }
  const heart = setInterval(() => void look(true), leaseMs / HEARTBEATS_PER_LEASE)
  const isForgotten = (): boolean => reason === 'lost'

  const run = async (): Promise<void> => {
    try {
      const attempt = await attemptAt(context, leased, controller.signal, () => reason === 'stopped')
      if (isForgotten()) context.tell('lost', job)
      else await concludeJob(context, leased, attempt)
    } catch (err) {
      // The facts can not be written. The lease runs out, and the job is taken up again by whoever can.
      logger.error({ err, jobId: job.id, kind: job.kind }, 'a job could not be put down')
    } finally {
      isOver = true
      clearInterval(heart)
    }
  }
  return {
    leased,
    ended: run(),
    look,
    stop: () => abort('stopped'),
    abandon: () => {
      abort('lost')
      clearInterval(heart)
    }
  }
}

async function attemptAt(
  context: JobContext,
  { job }: LeasedJob,
  signal: AbortSignal,
  isStopped: () => boolean
): Promise<Attempt> {
  if (isBeyondLast(job)) {
    const failure = job.failure ?? faultOf(undefined).failure
    return { result: 'failed', fault: { failure, retryable: false } }
  }
  try {
    await handlerOf(context, job).run(job, signal)
    return { result: 'finished' }
  } catch (thrown) {
    if (isStopped()) return { result: 'stopped' }
    const fault = faultOf(thrown)
    const { id: jobId, kind, attempt } = job
    if (!signal.aborted) context.logger.warn({ err: thrown, jobId, kind, attempt }, 'an attempt at a job failed')
    return { result: 'failed', fault }
  }
}
