import { z } from 'zod'
import type { ApiClient } from '@oncall-agent/api-contracts'

/** The part of a stored run that tells what the agent saw; the contract leaves the record open. */
const recordSchema = z.object({
  query: z.string(),
  candidates: z.array(
    z.object({ chunkId: z.string(), rrfRank: z.number().nullable(), documentVersion: z.number().optional() })
  ),
  results: z.array(z.object({ chunkId: z.string(), content: z.string() }))
})

/** A piece of evidence as it was when the agent saw it. */
export interface SeenChunk {
  readonly content: string
  readonly rrfRank: number | null
  readonly documentVersion: number | null
}

export interface SeenRun {
  readonly query: string
  readonly chunks: ReadonlyMap<string, SeenChunk>
}

/**
 * What a run kept.
 * @throws ApiError when it is gone; an Error (of zod) when it has not the shape that this page knows
 */
export async function readSeen(api: ApiClient, runId: string): Promise<SeenRun> {
  const { record } = await api.retrievalRun({ params: { runId } })
  const { query, candidates, results } = recordSchema.parse(record)
  const byId = new Map(candidates.map((each) => [each.chunkId, each]))
  const seen = results.map(({ chunkId, content }): readonly [string, SeenChunk] => {
    const candidate = byId.get(chunkId)
    const { rrfRank = null, documentVersion = null } = candidate ?? {}
    return [chunkId, { content, rrfRank, documentVersion }]
  })
  return { query, chunks: new Map(seen) }
}
