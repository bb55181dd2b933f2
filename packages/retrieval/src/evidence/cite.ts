import { cutAtGrapheme } from '../graphemes/index.ts'
import type { Citation, EvidenceHit } from './evidence.ts'

/** UTF-16 units; about three lines of a page, enough to judge a source by. */
export const EXCERPT_LIMIT = 480

/** Where a chunk lies in its document: under which headings, and its span of the text in UTF-16 units. */
export interface CitedPlace {
  readonly headingPath: readonly string[]
  readonly start: number
  readonly end: number
}

/** The citation of a hit. Pure, so that a stored run cites the same tomorrow. */
export function cite(hit: EvidenceHit, place: CitedPlace): Citation {
  return {
    id: hit.chunkId,
    title: hit.source || hit.documentId,
    sourceType: 'knowledge-base',
    excerpt: cutAtGrapheme(hit.content, EXCERPT_LIMIT),
    documentId: hit.documentId,
    knowledgeBaseId: hit.knowledgeBaseId,
    headingPath: place.headingPath,
    start: place.start,
    end: place.end,
    score: hit.score,
    vectorRank: hit.vectorRank,
    bm25Rank: hit.bm25Rank,
    rerankRank: hit.rerankRank,
    vectorScore: hit.vectorScore,
    bm25Score: hit.bm25Score,
    rrfScore: hit.rrfScore,
    rerankScore: hit.rerankScore
  }
}
