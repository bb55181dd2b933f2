export { cancelJob } from './cancel-job.ts'
export { createJobWorker, type JobWorkerOptions } from './create-job-worker.ts'
export type { JobEvent, JobEventName } from './job-context.ts'
export type { Job, JobHandler, JobOutcome, JobWorker } from './job.ts'
