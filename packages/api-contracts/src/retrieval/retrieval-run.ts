import { z } from 'zod'

export const retrievalRunParamsSchema = z.strictObject({ runId: z.string().min(1).max(200) }).readonly()

/** What is kept of one retrieval, so that an answer can be explained after the documents have changed. */
export const retrievalRunSchema = z
  .object({
    runId: z.string(),
    tenantId: z.string(),
    userId: z.string(),
    /** Milliseconds since the epoch. */
    createdAt: z.number(),
    query: z.string(),
    outcome: z.enum(['ok', 'empty', 'failed']),
    /** Scope, index version, models, stages and every candidate with its ranks. */
    record: z.unknown()
  })
  .readonly()

export type RetrievalRun = z.output<typeof retrievalRunSchema>
