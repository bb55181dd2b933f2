import { z } from 'zod'
import { failureSchema } from '../knowledge/index-task.ts'
import { pageQuery } from '../pages/page.ts'
import { timeSchema } from '../pages/ids.ts'

/** `waiting`: due, or due later; never called stalled. `running`: leased by a worker. The last three are final. */
export const jobStatusSchema = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled'])

/** A piece of background work, as an operator sees it. */
export const jobSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    tenantId: z.string(),
    /** What it works on: an index task's id, a document's. */
    subject: z.string(),
    status: jobStatusSchema,
    attempts: z.int().min(0),
    maxAttempts: z.int().min(1),
    /** When it may be taken up, or taken up again. */
    dueAt: timeSchema,
    failure: failureSchema.nullable(),
    createdAt: timeSchema,
    finishedAt: timeSchema.nullable()
  })
  .readonly()

export const jobsQuerySchema = z.strictObject({ ...pageQuery, status: jobStatusSchema.optional() }).readonly()

/** What the System room shows: how much there is, and how much waits. */
export const systemSummarySchema = z
  .object({
    version: z.string(),
    uptimeSeconds: z.number().min(0),
    jobs: z
      .object({
        waiting: z.int().min(0),
        running: z.int().min(0),
        failedLastDay: z.int().min(0),
        /** Age of the oldest job that is due; null when none waits. */
        oldestWaitingSeconds: z.number().min(0).nullable()
      })
      .readonly(),
    index: z
      .object({
        engine: z.string(),
        documents: z.int().min(0),
        chunks: z.int().min(0),
        bytesOnDisk: z.int().min(0),
        embedder: z.string(),
        dimension: z.int().min(1)
      })
      .readonly()
  })
  .readonly()

export type JobStatus = z.output<typeof jobStatusSchema>
export type JobView = z.output<typeof jobSchema>
export type JobsQuery = z.output<typeof jobsQuerySchema>
export type SystemSummary = z.output<typeof systemSummarySchema>
