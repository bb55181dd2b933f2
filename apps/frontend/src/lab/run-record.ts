import { retrievalResponseSchema } from '@oncall-agent/api-contracts'
import { z } from 'zod'

const rank = z.number().nullable()
const score = z.number().nullable()

/** A chunk as the stages of a stored run saw it. */
const candidateSchema = z.object({
  chunkId: z.string(),
  documentId: z.string(),
  knowledgeBaseId: z.string(),
  title: z.string(),
  headingPath: z.array(z.string()),
  vectorRank: rank,
  vectorScore: score,
  bm25Rank: rank,
  bm25Score: score,
  rrfRank: rank,
  rrfScore: score,
  rerankRank: rank,
  rerankScore: score
})

/** The part of a stored run's record that the lab shows; the contract leaves the record open. */
export const runRecordSchema = z.object({
  query: z.string(),
  topK: z.number(),
  scope: z.object({
    pairs: z.array(z.object({ knowledgeBaseId: z.string() })),
    documentIds: z.array(z.string()).optional(),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional()
  }),
  engine: z.string(),
  embedder: z.object({ model: z.string() }),
  reranker: z.string(),
  stages: retrievalResponseSchema.unwrap().shape.stages,
  candidates: z.array(candidateSchema),
  results: z.array(z.object({ chunkId: z.string(), documentId: z.string(), content: z.string(), source: z.string() })),
  failure: z.object({ code: z.string(), stage: z.string() }).nullable()
})

export type RecordedCandidate = z.output<typeof candidateSchema>
