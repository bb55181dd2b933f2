import { z } from 'zod'
import { timeSchema } from '../pages/ids.ts'
import { searchSettingsSchema } from './search-request.ts'

/** A fixed contract; never renamed. */
export const searchStatusSchema = z.enum(['strict_hit', 'too_many', 'loose_hit', 'vector_only', 'no_hit'])

const textOrNull = z.string().nullable()

/** One document. `score` is what it is ranked by: (1 - w)·bm25 + w·vector_part, and `vector_part` alone for `vector_only`. */
export const searchHitSchema = z
  .object({
    document_id: z.string(),
    knowledge_base_id: z.string(),
    knowledge_type: z.string(),
    project: textOrNull,
    equipment: textOrNull,
    error_codes: z.array(z.string()).readonly(),
    title: z.string(),
    /** The part of the text where the keywords stand closest, or its beginning. */
    excerpt: z.string(),
    /** Its span in the document's text, UTF-16 units. */
    excerpt_start: z.int().min(0),
    excerpt_end: z.int().min(0),
    created_at: timeSchema,
    score: z.number(),
    /** Sum over the matching keywords, title boost included; 0 without keywords. */
    bm25: z.number(),
    /** cos + 1, 0..2; 0 without a vector, behind the window, or when nothing was rescored. */
    vector_part: z.number()
  })
  .readonly()

const facetsOf = <Value extends z.ZodType>(value: Value) =>
  z.object({ project: value, equipment: value, error_codes: value }).readonly()

export const searchFacetsSchema = facetsOf(
  z.array(z.object({ value: z.string(), count: z.int().min(1) }).readonly()).readonly()
)

export const searchStageSchema = z
  .object({
    name: z.enum(['strict', 'loose', 'vector_only', 'embed', 'facets']),
    /** `empty`: ran and found nothing. `failed`: the embedder alone; whatever else fails is an error. */
    status: z.enum(['ok', 'empty', 'skipped', 'failed']),
    /** Documents; vectors of `embed`, values of `facets`. */
    found: z.int().min(0),
    took_ms: z.number().min(0),
    rescore: z.enum(['done', 'skipped']).optional(),
    reason: z.enum(['embedder_down', 'no_query_text', 'nothing_to_embed', 'weight_is_zero']).optional()
  })
  .readonly()

/** Contract 2, output. */
export const searchResponseSchema = z
  .object({
    status: searchStatusSchema,
    /** Documents that match, whatever the page; of `vector_only`, those found. */
    total: z.int().min(0),
    hits: z.array(searchHitSchema).readonly(),
    /** With `too_many` alone: what to narrow by, the most frequent values first. */
    facets: searchFacetsSchema.optional(),
    /** Beside `facets`: how often documents carry values beyond these. */
    facets_truncated: facetsOf(z.int().min(0)).optional(),
    /** With `loose_hit` and `vector_only`, to be shown word for word. Chinese, unless `Accept-Language` prefers English. */
    banner: z.string().optional(),
    /** Names the record that feedback is given to; null when that could not be stored. */
    search_id: z.string().nullable(),
    stages: z.array(searchStageSchema).readonly(),
    /** What the answer was made with. */
    settings: searchSettingsSchema
  })
  .readonly()

export type SearchStatus = z.output<typeof searchStatusSchema>
export type SearchHit = z.output<typeof searchHitSchema>
export type SearchFacets = z.output<typeof searchFacetsSchema>
export type SearchResponse = z.output<typeof searchResponseSchema>
