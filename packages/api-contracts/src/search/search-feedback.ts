import { z } from 'zod'
import { idSchema, timeSchema } from '../pages/ids.ts'
import { searchStatusSchema } from './search-response.ts'

/** Characters, UTF-16 units. */
const NOTE_LIMIT = 2_000

export const searchVerdictSchema = z.enum(['up', 'down'], { error: 'must be up or down' })

/** One judgement a person, search and document; a later one takes its place. */
export const searchFeedbackInputSchema = z
  .strictObject({
    search_id: idSchema,
    document_id: idSchema,
    verdict: searchVerdictSchema,
    note: z.string().trim().max(NOTE_LIMIT, `must have at most ${NOTE_LIMIT} characters`).optional()
  })
  .readonly()

export const searchFeedbackSchema = z
  .object({
    search_id: z.string(),
    document_id: z.string(),
    verdict: searchVerdictSchema,
    note: z.string().nullable(),
    updated_at: timeSchema
  })
  .readonly()

const verdictsSchema = { up: z.int().min(0), down: z.int().min(0) }

/** The own judgements of searches; everybody's for an administrator (with a key: of the scope `admin`). */
export const searchFeedbackSummarySchema = z
  .object({
    /** Searches that are on record, and those of them that somebody judged. */
    searches: z.int().min(0),
    judged_searches: z.int().min(0),
    ...verdictsSchema,
    by_status: z.array(z.object({ status: searchStatusSchema, ...verdictsSchema }).readonly()).readonly(),
    /** The most often judged first, at most 20; `title` as last shown, null when the document is gone or not to be read. */
    documents: z
      .array(z.object({ document_id: z.string(), title: z.string().nullable(), ...verdictsSchema }).readonly())
      .readonly()
  })
  .readonly()

export type SearchFeedbackInput = z.output<typeof searchFeedbackInputSchema>
export type SearchFeedback = z.output<typeof searchFeedbackSchema>
export type SearchFeedbackSummary = z.output<typeof searchFeedbackSummarySchema>
