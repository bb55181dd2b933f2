export type { Job, JobHandler, JobOutcome, JobWorker } from './job.ts'
