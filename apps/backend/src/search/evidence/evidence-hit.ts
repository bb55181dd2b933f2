import { type Citation, cite, type EvidenceHit } from '@oncall-agent/retrieval'
import type { RankedCandidate } from './candidate.ts'

/** The hits of an answer: the reranked candidates, best first. */
export function evidenceHits(ranked: readonly RankedCandidate[]): readonly EvidenceHit[] {
  return ranked.filter((candidate) => candidate.rerankRank !== null).map(evidenceHit)
}

/** One citation a hit, in the same order. */
export function citations(ranked: readonly RankedCandidate[], hits: readonly EvidenceHit[]): readonly Citation[] {
  return hits.map((hit, index) => cite(hit, ranked[index]!.chunk))
}

function evidenceHit({ chunk, ...ranks }: RankedCandidate): EvidenceHit {
  const { document } = chunk
  return {
    chunkId: chunk.chunkId,
    documentId: document.documentId,
    knowledgeBaseId: document.knowledgeBaseId,
    ownerUserId: document.ownerUserId,
    tenantId: document.tenantId,
    content: chunk.content,
    source: document.source,
    metadata: chunk.metadata,
    score: ranks.rerankScore ?? 0,
    vectorRank: ranks.vectorRank,
    bm25Rank: ranks.bm25Rank,
    rerankRank: ranks.rerankRank,
    vectorScore: ranks.vectorScore,
    bm25Score: ranks.bm25Score,
    rrfScore: ranks.rrfScore,
    rerankScore: ranks.rerankScore
  }
}
