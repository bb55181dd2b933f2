import type { SearchRequest, SearchResponse } from '@oncall-agent/api-contracts'
import type { ReadablePair } from '@oncall-agent/retrieval'
import type { SearchFacts } from '../../store/index.ts'

/** A search that somebody judged: enough to ask it again as it was asked. */
export interface JudgedSearchRecord {
  readonly searchId: string
  readonly createdAt: number
  readonly status: SearchResponse['status']
  readonly request: SearchRequest
  /** What the caller might read then, already narrowed to the knowledge bases asked for. */
  readonly scope: readonly ReadablePair[]
  /** What the answer was made with. */
  readonly settings: SearchResponse['settings']
  /** One a document. */
  readonly verdicts: readonly { readonly documentId: string; readonly verdict: 'up' | 'down' }[]
}

export async function judgedSearches(searches: Pick<SearchFacts, 'judged'>): Promise<readonly JudgedSearchRecord[]> {
  const judged = await searches.judged()
  // The room wrote them, in these shapes; the store only keeps them.
  return judged.map(({ searchId, createdAt, status, request, scope, settings, verdicts }) => ({
    searchId,
    createdAt,
    status,
    request: request as SearchRequest,
    scope: scope as readonly ReadablePair[],
    settings: settings as SearchResponse['settings'],
    verdicts
  }))
}
