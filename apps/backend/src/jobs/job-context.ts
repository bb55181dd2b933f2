import type { Logger } from '../observability/index.ts'
import type { BusinessStore } from '../store/index.ts'
import type { Job, JobHandler } from './job.ts'
import type { BackOff } from './retry-policy.ts'

/**
 * What happened to a job: `lost` means that another worker has it or that it was ended meanwhile, so this worker's
 * result is forgotten.
 */
export type JobEventName = 'taken' | 'done' | 'failed' | 'cancelled' | 'retried' | 'handed-back' | 'lost'

export interface JobEvent {
  readonly name: JobEventName
  readonly job: Job
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What the parts of a worker share. */
export interface JobContext {
  readonly store: Pick<BusinessStore, 'transaction' | 'jobs'>
  readonly handlers: ReadonlyMap<string, JobHandler>
  readonly kinds: readonly string[]
  readonly leaseMs: number
  readonly backOff: BackOff
  readonly now: () => number
  readonly logger: Logger
  readonly tell: (name: JobEventName, job: Job) => void
}

export function handlerOf({ handlers }: JobContext, { kind }: Job): JobHandler {
  const handler = handlers.get(kind)
  if (handler === undefined) throw new Error(`no handler for jobs of kind ${kind}`)
  return handler
}
