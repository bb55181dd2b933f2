import { type FusedItem, fuse, type RecallHit } from '@oncall-agent/retrieval'
import type { EvidenceRun } from './evidence-run.ts'
import type { Branches } from './recall.ts'

/** One fused place, with what each branch said of it. */
export interface FusedHit {
  readonly chunkId: string
  readonly documentVersions: readonly number[]
  readonly vectorRank: number | null
  readonly vectorScore: number | null
  readonly bm25Rank: number | null
  readonly bm25Score: number | null
  readonly rrfScore: number
}

/** Fuses the branches by reciprocal rank, at most `candidates` places. */
export function fuseBranches({ parts, stages, signal }: EvidenceRun, branches: Branches): Promise<readonly FusedHit[]> {
  return stages.run({
    name: 'fuse',
    engine: 'rrf',
    deadlineMs: parts.limits.recallMs,
    signal,
    count: (hits) => hits.length,
    work: async () => {
      const vector = firstById(branches.vector.hits)
      const lexical = firstById(branches.lexical.hits)
      const fused = fuse([[...vector.keys()], [...lexical.keys()]], { limit: parts.limits.candidates })
      return fused.map((item) => place(item, vector.get(item.id), lexical.get(item.id)))
    }
  })
}

function place(item: FusedItem, vector: RecallHit | undefined, lexical: RecallHit | undefined): FusedHit {
  return {
    chunkId: item.id,
    documentVersions: [vector, lexical].flatMap((hit) => (hit === undefined ? [] : [hit.documentVersion])),
    vectorRank: item.ranks[0] ?? null,
    vectorScore: vector?.score ?? null,
    bm25Rank: item.ranks[1] ?? null,
    bm25Score: lexical?.score ?? null,
    rrfScore: item.score
  }
}

/** The first hit of each chunk, in order; a branch that repeats a chunk must not count it twice. */
function firstById(hits: readonly RecallHit[]): Map<string, RecallHit> {
  const first = new Map<string, RecallHit>()
  for (const hit of hits) if (!first.has(hit.chunkId)) first.set(hit.chunkId, hit)
  return first
}
