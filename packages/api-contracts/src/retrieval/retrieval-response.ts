import { z } from 'zod'

export const stageTraceSchema = z
  .object({
    name: z.enum(['embed', 'vector', 'lexical', 'fuse', 'rerank']),
    /** `empty`: ran and found nothing. `skipped`: there was nothing to run on. */
    status: z.enum(['ok', 'empty', 'skipped', 'failed']),
    engine: z.string(),
    /** Items given to the next stage. */
    candidates: z.int().min(0),
    tookMs: z.number().min(0)
  })
  .readonly()

const rankSchema = z.int().min(1).nullable()

/** Null, never 0, where a stage did not return the chunk. */
const stageScores = {
  /** What the results are sorted by: equal to `rerankScore`, 0..1. */
  score: z.number(),
  vectorRank: rankSchema,
  bm25Rank: rankSchema,
  rerankRank: rankSchema,
  /** Cosine, -1..1. */
  vectorScore: z.number().nullable(),
  /** BM25L, above 0. */
  bm25Score: z.number().nullable(),
  rrfScore: z.number().nullable(),
  rerankScore: z.number().nullable()
}

export const evidenceHitSchema = z
  .object({
    chunkId: z.string(),
    documentId: z.string(),
    knowledgeBaseId: z.string(),
    ownerUserId: z.string(),
    tenantId: z.string(),
    /** The whole chunk. */
    content: z.string(),
    source: z.string(),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly(),
    ...stageScores
  })
  .readonly()

export const citationSchema = z
  .object({
    /** The hit's chunk id. */
    id: z.string(),
    title: z.string(),
    sourceType: z.literal('knowledge-base'),
    excerpt: z.string(),
    documentId: z.string(),
    knowledgeBaseId: z.string(),
    /** The headings above the chunk, outermost first. */
    headingPath: z.array(z.string()).readonly(),
    /** Span of the chunk in the document's text, UTF-16 units. */
    start: z.int().min(0),
    end: z.int().min(0),
    ...stageScores
  })
  .readonly()

/**
 * Contract 1, output. `citations[i]` belongs to `results[i]`; `runId` names the stored record of the run, null when
 * that could not be stored.
 */
export const retrievalResponseSchema = z
  .object({
    query: z.string(),
    topK: z.int().min(1),
    results: z.array(evidenceHitSchema).readonly(),
    citations: z.array(citationSchema).readonly(),
    stages: z.array(stageTraceSchema).readonly(),
    runId: z.string().nullable()
  })
  .readonly()

export type RetrievalResponse = z.output<typeof retrievalResponseSchema>
