import { type EvidenceParts, rankCandidates, StageLog } from '@oncall-agent/backend'
import { type LexicalIndex, type Scope, tokenize } from '@oncall-agent/retrieval'
import { collapseToDocuments, type RankedChunk } from './collapse-to-documents.ts'
import { evaluationPair } from './index-set.ts'
import type { StageName } from './stage-name.ts'

/** Candidates of each stage, all of them reranked; the product's own number. */
export const candidates = 20

/** Documents of each stage, best first, by their id in the set; scores are those of the stage. */
export type StageRankings = Readonly<Partial<Record<StageName, readonly RankedChunk[]>>>

export type RankQuery = (query: string, signal: AbortSignal) => Promise<StageRankings>

/** The set's own id of a document by its id in the index. */
type SetIds = ReadonlyMap<string, string>

const scope: Scope = { pairs: [evaluationPair] }

/** All stages by the product's own pipeline, in one pass, with every candidate reranked. */
export function rankByPipeline(parts: EvidenceParts, setIdOf: SetIds): RankQuery {
  return async (query, signal) => {
    const question = { query, topK: candidates, scope }
    const { branches, fused, ranked } = await rankCandidates({ question, parts, stages: new StageLog(), signal })
    const idOf = (candidate: (typeof fused)[number]): string => candidate.chunk.document.documentId
    return {
      lexical: documentsOf(branches.lexical.hits, setIdOf),
      vector: documentsOf(branches.vector.hits, setIdOf),
      fused: documentsOf(
        fused.map((each) => ({ documentId: idOf(each), score: each.rrfScore })),
        setIdOf
      ),
      reranked: documentsOf(
        ranked.map((each) => ({ documentId: idOf(each), score: each.rerankScore })),
        setIdOf
      )
    }
  }
}

/** The lexical branch alone, as the pipeline asks it: no model is needed. */
export function rankByWords(index: LexicalIndex, setIdOf: SetIds): RankQuery {
  return async (query, signal) => {
    const { hits } = await index.search({ tokens: tokenize(query), scope, limit: candidates }, signal)
    return { lexical: documentsOf(hits, setIdOf) }
  }
}

function documentsOf(chunks: readonly RankedChunk[], setIdOf: SetIds): readonly RankedChunk[] {
  return collapseToDocuments(chunks).map(({ documentId, score }) => ({ documentId: setIdOf.get(documentId)!, score }))
}
