import type { Logger } from '../observability/index.ts'
import type { BusinessStore } from '../store/index.ts'
import { createCrew } from './crew.ts'
import type { JobHandler, JobWorker } from './job.ts'
import type { JobContext, JobEvent } from './job-context.ts'
import { createPause } from './pause.ts'
import { purgeEnded } from './purge-ended.ts'
import { type BackOff, defaultBackOff } from './retry-policy.ts'

/** The longest that a job which another process enqueued waits to be seen, in milliseconds. */
const POLL_MS = 1_000
/** What a handler gets to let go when the worker stops: a batch of embeddings ends within it. In milliseconds. */
const GRACE_MS = 10_000

export interface JobWorkerOptions {
  readonly store: Pick<BusinessStore, 'transaction' | 'jobs'>
  /** One for each kind; jobs of other kinds are left to other processes. */
  readonly handlers: readonly JobHandler[]
  /** Jobs that run at the same time; 0 makes `start` do nothing. */
  readonly workers: number
  /** How long a job stays with a process that gives no sign of life. */
  readonly leaseMs: number
  /** Ended jobs are forgotten after so many days. */
  readonly keepDays: number
  readonly logger: Logger
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  readonly onEvent?: (event: JobEvent) => void
  readonly backOff?: BackOff
  readonly graceMs?: number
}

/** The worker of this process. Several processes may work on one store. */
export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { workers, logger, graceMs = GRACE_MS } = options
  const context = contextOf(options)
  const purge = purgeEnded(context, options.keepDays)
  const pause = createPause()
  const stopping = new AbortController()
  const crew = createCrew(context, { places: workers, stopping: stopping.signal, onFreePlace: pause.wake })
  let loop: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  const work = async (): Promise<void> => {
    let isFailing = false
    while (!stopping.signal.aborted) {
      try {
        await crew.turn()
        await purge()
        if (isFailing) logger.info('jobs are worked on again')
        isFailing = false
      } catch (err) {
        // Said once an outage, not once a second; readiness tells of the store.
        if (!isFailing) logger.error({ err }, 'jobs can not be looked at, trying on')
        isFailing = true
      }
      if (!stopping.signal.aborted) await pause.until(POLL_MS)
    }
  }
  const stop = async (): Promise<void> => {
    stopping.abort()
    pause.wake()
    await crew.stop(loop ?? Promise.resolve(), graceMs)
  }
  return {
    start: () => {
      if (workers > 0 && !stopping.signal.aborted) loop ??= work()
    },
    wake: pause.wake,
    stop: () => (stopped ??= stop())
  }
}

function contextOf(options: JobWorkerOptions): JobContext {
  const { store, handlers, leaseMs, logger, onEvent, clock = Date.now, backOff = defaultBackOff } = options
  return {
    store,
    handlers: new Map(handlers.map((handler) => [handler.kind, handler])),
    kinds: handlers.map(({ kind }) => kind),
    leaseMs,
    backOff,
    now: clock,
    logger,
    tell: (name, job) => {
      const { id: jobId, kind, tenantId, attempt } = job
      logger.info({ jobId, kind, tenantId, attempt }, `job ${name}`)
      onEvent?.({ name, job, at: clock() })
    }
  }
}
