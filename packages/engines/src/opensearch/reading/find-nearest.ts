import { compareInCorpusOrder } from '@oncall-agent/retrieval'
import type { NearestRequest, StructuredRecall } from '@oncall-agent/retrieval'
import { documentOf, SHOWN_FIELDS, unitVector } from '../indices/index.ts'
import { routeOf, searchEngine } from './search-engine.ts'
import type { SearchParts } from './search-engine.ts'
import { selectionFilter } from './selection-filter.ts'

/** Candidates that either engine takes at most. */
const MOST_CANDIDATES = 10_000

/** The nearest that the engine's graph leads to, inside scope and filters. */
export async function findNearest(
  parts: SearchParts,
  request: NearestRequest,
  signal?: AbortSignal
): Promise<StructuredRecall> {
  const { pairs, filters, k } = request
  const vector = unitVector(request.vector)
  const candidates = Math.min(MOST_CANDIDATES, Math.max(k, request.numCandidates))
  const filter = selectionFilter(request)
  const { hits } = await searchEngine(parts, {
    operation: 'find nearest',
    knowledgeType: filters.knowledgeType,
    body: { ...parts.dialect.nearestBody({ vector, k, candidates, filter }), _source: SHOWN_FIELDS },
    route: routeOf({ pairs, filters }),
    signal
  })
  const found = hits.map((hit) => {
    // The engine's score is (1 + cos) / 2.
    const score = Math.min(2, Math.max(0, 2 * hit.score))
    return { document: documentOf(hit.source), score, bm25: 0, vectorPart: score }
  })
  const ranked = found.toSorted(
    (left, right) => right.score - left.score || compareInCorpusOrder(left.document, right.document)
  )
  // The engine's total counts candidates of every shard.
  return { total: ranked.length, hits: ranked }
}
