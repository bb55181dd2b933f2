import { type EvidenceParts, rankCandidates, StageLog } from '@oncall-agent/backend'
import { type LexicalIndex, type Scope, type StoredChunk, tokenize } from '@oncall-agent/retrieval'
import { collapseToDocuments, type RankedChunk } from './collapse-to-documents.ts'
import { evaluationPair } from './publish-set.ts'
import type { StageName } from './stage-name.ts'

/** Candidates of each stage, all of them reranked; the product's own number. */
export const candidates = 20

/** Documents of each stage, best first; scores are those of the stage. */
export type StageRankings = Readonly<Partial<Record<StageName, readonly RankedChunk[]>>>

export type RankQuery = (query: string, signal: AbortSignal) => Promise<StageRankings>

const scope: Scope = { pairs: [evaluationPair] }

/** All stages by the product's own pipeline, in one pass, with every candidate reranked. */
export function rankByPipeline(parts: EvidenceParts): RankQuery {
  return async (query, signal) => {
    const question = { query, topK: candidates, scope }
    const ranking = await rankCandidates({ question, parts, stages: new StageLog(), signal })
    return {
      lexical: collapseToDocuments(ranking.branches.lexical.hits),
      vector: collapseToDocuments(ranking.branches.vector.hits),
      fused: collapseToDocuments(ranking.fused.map((each) => rankedChunk(each, each.rrfScore))),
      reranked: collapseToDocuments(ranking.ranked.map((each) => rankedChunk(each, each.rerankScore)))
    }
  }
}

/** The lexical branch alone, as the pipeline asks it: no model is needed. */
export function rankByWords(index: LexicalIndex): RankQuery {
  return async (query, signal) => {
    const recall = await index.search({ tokens: tokenize(query), scope, limit: candidates }, signal)
    return { lexical: collapseToDocuments(recall.hits) }
  }
}

function rankedChunk({ chunk }: { readonly chunk: StoredChunk }, score: number | null): RankedChunk {
  return { documentId: chunk.document.documentId, score }
}
