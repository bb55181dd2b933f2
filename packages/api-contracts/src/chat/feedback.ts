import { z } from 'zod'
import { idSchema, timeSchema } from '../pages/ids.ts'

const NOTE_LIMIT = 2_000

/** 👍 or 👎 on an answer, or on one of its sources (`chunkId`); null takes the verdict back. */
export const feedbackInputSchema = z
  .strictObject({
    messageId: idSchema,
    chunkId: z.string().min(1).max(1_000).optional(),
    verdict: z.enum(['up', 'down']).nullable(),
    note: z
      .string()
      .max(NOTE_LIMIT, `must have at most ${NOTE_LIMIT} characters`)
      .refine((note) => note.isWellFormed(), 'must not hold half a character')
      .regex(/^(?:[^\p{Cc}\u202A-\u202E\u2066-\u2069]|[\n\r\t])*$/u, 'must not hold control characters')
      .optional()
  })
  .readonly()

export const feedbackSchema = z
  .object({
    messageId: z.string(),
    chunkId: z.string().nullable(),
    verdict: z.enum(['up', 'down']).nullable(),
    note: z.string().nullable(),
    updatedAt: timeSchema
  })
  .readonly()

export type FeedbackInput = z.output<typeof feedbackInputSchema>
export type Feedback = z.output<typeof feedbackSchema>
