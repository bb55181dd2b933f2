import { z } from 'zod'
import { idSchema } from '../pages/ids.ts'
import { QUERY_LIMIT } from '../retrieval/retrieval-request.ts'

/** Characters of one filter value or keyword, UTF-16 units; the record of a search keeps them as they were asked for. */
const VALUE_LIMIT = 1_000
const IDS_LIMIT = 1_000
const CODES_LIMIT = 100
const KEYWORDS_LIMIT = 100

const valueSchema = z.string().max(VALUE_LIMIT, `must have at most ${VALUE_LIMIT} characters`)
/** Documents a page at most. */
const SIZE_LIMIT = 100
const SIZE = `must be a whole number from 1 to ${SIZE_LIMIT}`
const placeSchema = z.int('must be a whole number').min(0, 'must be 0 or more')
const listOf = (limit: number) => z.array(valueSchema).max(limit, `must have at most ${limit}`).readonly()

/** What an answer can be asked to be made with, for comparing; each absent one is the server's own. Ranges: section `search` of the settings. */
export const searchSettingsSchema = z
  .strictObject({
    strict_max_hits: z.number(),
    title_boost: z.number(),
    rrf_window: z.number(),
    vector_weight: z.number(),
    loose_min_match: z.number()
  })
  .readonly()

export const searchModeSchema = z.enum(['auto', 'strict', 'loose', 'vector_only'], {
  error: 'must be one of auto, strict, loose, vector_only'
})

/** Contract 2, input. Who asks and what they may read are bound elsewhere and are no fields. */
export const searchRequestSchema = z
  .strictObject({
    /** Exact values; they include or exclude, and never score. */
    project: valueSchema.optional(),
    equipment: valueSchema.optional(),
    error_codes: listOf(CODES_LIMIT).optional().describe('A document that carries any of them.'),
    knowledge_type: valueSchema.optional().describe('One of the configured types.'),
    keywords: listOf(KEYWORDS_LIMIT).optional(),
    query_text: z
      .string()
      .max(QUERY_LIMIT, `must have at most ${QUERY_LIMIT} characters`)
      .optional()
      .describe('The sentence as it was said; it orders, and alone can still find by meaning.'),
    mode: searchModeSchema
      .optional()
      .describe('`auto` goes on until something is found; any other runs that stage alone.'),
    size: z.int(SIZE).min(1, SIZE).max(SIZE_LIMIT, SIZE).optional().describe('Documents a page; 10 where absent.'),
    from_: placeSchema.optional().describe('Documents before the page; 0 where absent.'),
    from: placeSchema.optional().describe('Another name of `from_`.'),
    knowledge_base_ids: z
      .array(idSchema)
      .max(IDS_LIMIT, `must have at most ${IDS_LIMIT}`)
      .readonly()
      .optional()
      .describe('A subset of what the caller may read; absent means all of it, empty means none.'),
    settings: searchSettingsSchema.unwrap().partial().readonly().optional()
  })
  .readonly()

export type SearchRequestInput = z.input<typeof searchRequestSchema>
export type SearchRequest = z.output<typeof searchRequestSchema>
