import type { SearchFeedbackSummary } from '@oncall-agent/api-contracts'
import type { BusinessStore } from '../../store/index.ts'
import type { Caller } from '../caller.ts'

/** Documents that are told one by one. */
const DOCUMENTS = 20

/** Whose judgements are counted. An administrator's key needs the scope for it, which is decided before. */
export type Whose = 'own' | 'everybody'

/** How often documents of searches helped. A title is told of documents that are there and that the caller may read. */
export async function summariseFeedback(
  caller: Caller,
  whose: Whose,
  { searchFeedback, documents }: Pick<BusinessStore, 'searchFeedback' | 'documents'>
): Promise<SearchFeedbackSummary> {
  const counts = await searchFeedback.counts(whose === 'own' ? caller.userId : undefined, DOCUMENTS)
  const deleted = await documents.deletedAmong(counts.documents.map(({ documentId }) => documentId))
  const readable = new Set(caller.readable.map(({ knowledgeBaseId }) => knowledgeBaseId))
  return {
    searches: counts.searches,
    judged_searches: counts.judgedSearches,
    up: counts.up,
    down: counts.down,
    by_status: counts.byStatus,
    documents: counts.documents.map(({ documentId, shown, up, down }) => {
      const isTold = readable.has(shown.knowledgeBaseId) && !deleted.has(documentId)
      return { document_id: documentId, title: isTold ? shown.title : null, up, down }
    })
  }
}
