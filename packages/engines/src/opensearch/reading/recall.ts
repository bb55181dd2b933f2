import type { MatchRequest } from '@oncall-agent/retrieval'
import { SHOWN_FIELDS } from '../indices/index.ts'
import { keywordQuery } from './keyword-query.ts'
import { CORPUS_ORDER } from './corpus-order.ts'
import { searchEngine } from './search-engine.ts'
import type { SearchAnswer, SearchParts } from './search-engine.ts'

/** Which of the recall, best first. */
export interface RecallPage {
  readonly from: number
  readonly size: number
  /** Bodies are long: they are read only when the page is known. */
  readonly withDocuments: boolean
  readonly route: string
}

/** By BM25, equal ones in corpus order. */
export async function recallByWords(
  parts: SearchParts,
  request: MatchRequest,
  { from, size, withDocuments, route }: RecallPage,
  signal: AbortSignal | undefined
): Promise<SearchAnswer> {
  const body = {
    query: keywordQuery(request, request.titleBoost),
    from,
    size,
    sort: ['_score', ...CORPUS_ORDER],
    track_scores: true,
    seq_no_primary_term: true,
    _source: withDocuments ? SHOWN_FIELDS : false
  }
  return searchEngine(parts, {
    operation: 'match documents',
    knowledgeType: request.filters.knowledgeType,
    body,
    route,
    signal
  })
}
