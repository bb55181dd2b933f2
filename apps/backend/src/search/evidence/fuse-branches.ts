import { type FusedItem, fuse, type RecallHit } from '@oncall-agent/retrieval'
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

/** Fuses the branches by reciprocal rank, at most `limit` places, best first. */
export function fuseBranches({ vector, lexical }: Branches, limit: number): readonly FusedHit[] {
  const byMeaning = firstById(vector.hits)
  const byWords = firstById(lexical.hits)
  const fused = fuse([[...byMeaning.keys()], [...byWords.keys()]], { limit })
  return fused.map((item) => place(item, byMeaning.get(item.id), byWords.get(item.id)))
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
