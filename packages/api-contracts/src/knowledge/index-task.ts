import { z } from 'zod'
import { errorCodes } from '../errors/error-body.ts'
import { timeSchema } from '../pages/ids.ts'

/** `pending → running → succeeded | failed | cancelled`; the last three are final, a retry is a new task. */
export const indexTaskStatusSchema = z.enum(['pending', 'running', 'succeeded', 'failed', 'cancelled'])

/** Why something failed: a code of the catalogue, and a sentence for a person. */
export const failureSchema = z.object({ code: z.enum(errorCodes), message: z.string() }).readonly()

/** One attempt to index one version of a document; what it was is never rewritten. */
export const indexTaskSchema = z
  .object({
    id: z.string(),
    documentId: z.string(),
    knowledgeBaseId: z.string(),
    documentVersion: z.int().min(1),
    fileName: z.string(),
    status: indexTaskStatusSchema,
    reason: failureSchema.nullable(),
    /** Times that its job was taken up; more than 1 after a crash or a passing fault. */
    attempt: z.int().min(0),
    progress: z.object({ chunksEmbedded: z.int().min(0), chunksTotal: z.int().min(0).nullable() }).readonly(),
    /** True once somebody asked to cancel it while it was running. */
    cancelRequested: z.boolean(),
    retryOfTaskId: z.string().nullable(),
    createdAt: timeSchema,
    startedAt: timeSchema.nullable(),
    finishedAt: timeSchema.nullable()
  })
  .readonly()

export type IndexTaskStatus = z.output<typeof indexTaskStatusSchema>
export type IndexTask = z.output<typeof indexTaskSchema>
export type Failure = z.output<typeof failureSchema>
