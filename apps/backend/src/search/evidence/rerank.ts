import { checkRerank, type QueryEmbedding, type RerankRequest, type RerankScore } from '@oncall-agent/retrieval'
import type { Candidate, RankedCandidate } from './candidate.ts'
import type { EvidenceRun } from './evidence-run.ts'

/** Scores the candidates and orders them: the reranked first, then the rest in fused order. */
export async function rerank(
  run: EvidenceRun,
  embedding: QueryEmbedding,
  candidates: readonly Candidate[]
): Promise<readonly RankedCandidate[]> {
  const { question, parts, stages, signal } = run
  const topN = Math.min(question.topK, candidates.length)
  const scores = await stages.run<readonly RerankScore[]>({
    name: 'rerank',
    engine: parts.reranker.name,
    deadlineMs: parts.limits.rerankMs,
    signal,
    count: (made) => made.length,
    work: async (stageSignal) => {
      const request = rerankRequest({ ...run, signal: stageSignal }, embedding, candidates)
      return checkRerank(await parts.reranker.rerank(request, stageSignal), candidates.length, topN)
    }
  })
  const ranked = scores.map((score, position) => ({
    ...candidates[score.index]!,
    rerankRank: position + 1,
    rerankScore: score.score,
    rerankParts: score.parts ?? null
  }))
  const chosen = new Set(scores.map((score) => score.index))
  const rest = candidates
    .filter((_, index) => !chosen.has(index))
    .map((candidate) => ({ ...candidate, rerankRank: null, rerankScore: null, rerankParts: null }))
  return [...ranked, ...rest]
}

function rerankRequest(
  { question, parts, signal }: EvidenceRun,
  queryEmbedding: QueryEmbedding,
  candidates: readonly Candidate[]
): RerankRequest {
  return {
    query: question.query,
    queryEmbedding,
    candidates: candidates.map(({ chunk }) => ({
      chunkId: chunk.chunkId,
      title: chunk.document.title,
      headingPath: chunk.headingPath,
      content: chunk.content,
      tokenCount: chunk.tokenCount,
      metadata: chunk.metadata,
      ...(chunk.vector === undefined ? {} : { vector: chunk.vector }),
      ...(chunk.tokenVectors === undefined ? {} : { tokenVectors: chunk.tokenVectors })
    })),
    topN: Math.min(question.topK, candidates.length),
    ...(parts.reranker.needs.statistics
      ? { statistics: (terms: readonly string[]) => parts.index.lexical.statistics(terms, question.scope, signal) }
      : {})
  }
}
