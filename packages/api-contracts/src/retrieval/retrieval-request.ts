import { z } from 'zod'

/** Characters of a trimmed query, in UTF-16 units. */
export const QUERY_LIMIT = 4000
/** Evidence pieces when nothing is asked for, and at most: a larger `topK` is clamped by the room, not refused. */
export const TOP_K_DEFAULT = 5
export const METADATA_KEYS_LIMIT = 16

/** Ids of one filter, and characters of an id or of a value: the run record keeps them as they are asked for. */
const IDS_LIMIT = 1_000
const VALUE_LIMIT = 1_000
const idsSchema = z
  .array(z.string().min(1).max(VALUE_LIMIT))
  .max(IDS_LIMIT, `must have at most ${IDS_LIMIT}`)
  .readonly()

/** Exact equality with type: `1` is not `"1"` is not `true`. No ranges, nesting, arrays or expressions. */
export const metadataFilterSchema = z
  .record(
    z.string().min(1).max(VALUE_LIMIT, `must have keys of at most ${VALUE_LIMIT} characters`),
    z.union([z.string().max(VALUE_LIMIT), z.number(), z.boolean()], {
      error: `must be a string of at most ${VALUE_LIMIT} characters, a number or a boolean`
    })
  )
  .refine((metadata) => Object.keys(metadata).length <= METADATA_KEYS_LIMIT, {
    error: `must have at most ${METADATA_KEYS_LIMIT} keys`
  })
  .readonly()

export const retrievalFiltersSchema = z
  .strictObject({
    /** A subset of what the caller may read; absent means all of it, empty means none. */
    knowledgeBaseIds: idsSchema.optional(),
    documentIds: idsSchema.optional(),
    metadata: metadataFilterSchema.optional()
  })
  .readonly()

/** Contract 1, input. The caller's identity and what they may read are bound elsewhere and are no fields. */
export const retrievalRequestSchema = z
  .strictObject({
    query: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(QUERY_LIMIT, `must have at most ${QUERY_LIMIT} characters`),
    topK: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .default(TOP_K_DEFAULT)
      .describe(`How many pieces of evidence; more than ${TOP_K_DEFAULT} is taken as ${TOP_K_DEFAULT}.`),
    filters: retrievalFiltersSchema.optional()
  })
  .readonly()

/** As it is sent: `topK` may be absent, the query may have spaces around it. */
export type RetrievalRequestInput = z.input<typeof retrievalRequestSchema>
/** As it was checked. */
export type RetrievalRequest = z.output<typeof retrievalRequestSchema>
