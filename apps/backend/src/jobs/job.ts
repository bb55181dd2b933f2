import type { BusinessTables, JobEnding, StoredJob } from '../store/index.ts'

/** A piece of durable work, as its handler gets it. */
export type Job = Omit<StoredJob, 'failure'>

/** How a job ended for good. */
export type JobOutcome = JobEnding

/** Does the jobs of one kind. Idempotent: a job may be taken up again after a crash at any point. */
export interface JobHandler {
  readonly kind: string
  /**
   * @param signal aborted when the job is cancelled, when its lease was lost, or when the worker stops
   * @throws whatever went wrong: AppError codes of dependencies are tried again later, those of a caller's fault are final
   */
  run(job: Job, signal: AbortSignal): Promise<void>
  /** Called in the transaction that ends the job, so that what the job is about ends with it, whatever ended it. */
  settle?(job: Job, outcome: JobOutcome, tables: BusinessTables): Promise<void>
  /** Called in the transaction that takes the job up. */
  begin?(job: Job, tables: BusinessTables): Promise<void>
}

/** The worker of this process. */
export interface JobWorker {
  start(): void
  /** Something was enqueued: look now instead of at the next turn. */
  wake(): void
  /** Takes nothing new, aborts what runs and hands it back without counting the attempt; resolves when all have let go. */
  stop(): Promise<void>
}
