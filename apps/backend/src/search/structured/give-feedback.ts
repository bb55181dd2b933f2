import { AppError, type SearchFeedback, type SearchFeedbackInput } from '@oncall-agent/api-contracts'
import type { BusinessStore } from '../../store/index.ts'
import type { Caller } from '../caller.ts'

export type FeedbackStore = Pick<BusinessStore, 'searches' | 'searchFeedback'>

/**
 * Stores what a person says of a document of one of their searches, in the place of what they said before.
 * @throws AppError NOT_FOUND for a search that is not there or not theirs, and for a document that it did not show
 */
export async function giveFeedback(
  { search_id: searchId, document_id: documentId, verdict, note }: SearchFeedbackInput,
  { tenantId, userId }: Omit<Caller, 'readable'>,
  { searches, searchFeedback }: FeedbackStore
): Promise<SearchFeedback> {
  const search = await searches.find({ tenantId, userId }, searchId)
  if (search === undefined) throw missing(searchId, 'There is no such search, or it was somebody else’s.')
  if (!search.shown.some((shown) => shown.documentId === documentId)) {
    throw missing(documentId, 'The search did not show this document.')
  }
  const updatedAt = Date.now()
  const feedback = {
    searchId,
    userId,
    documentId,
    verdict,
    note: note === undefined || note === '' ? null : note,
    updatedAt
  }
  // Forgotten in this very moment.
  if (!(await searchFeedback.give(feedback))) throw missing(searchId, 'There is no such search any more.')
  return { search_id: searchId, document_id: documentId, verdict, note: feedback.note, updated_at: updatedAt }
}

function missing(subject: string, message: string): AppError {
  return new AppError('NOT_FOUND', { operation: 'give feedback', subject, message })
}
