import type { SearchFeedback, SearchFeedbackSummary, SearchRequest } from '@oncall-agent/api-contracts'
import { found, type MockHandlers, MockRefusal, type MockRequest, nextId } from './mock-request.ts'
import { sampleSearch } from './sample-search.ts'

function search({ state, body, language }: MockRequest) {
  const request = body as SearchRequest
  if (request.keywords?.includes('fail') === true)
    throw new MockRefusal('SYSTEM_UNAVAILABLE', undefined, 'The index of structured search did not answer.')
  const types = ['alarm', 'setup', 'experience']
  if (!types.includes(request.knowledge_type ?? 'alarm'))
    throw new MockRefusal('VALIDATION_FAILED', undefined, `knowledge_type must be one of ${types.join(', ')}`)
  const answer = sampleSearch(nextId(state, 'search'), request, language.startsWith('zh'))
  state.searches.answers.set(answer.search_id ?? '', answer)
  return { body: answer }
}

function judge({ state: { searches }, body }: MockRequest) {
  const given = body as Omit<SearchFeedback, 'note' | 'updated_at'> & { readonly note?: string }
  found(searches.answers.get(given.search_id))
  const feedback = { ...given, note: given.note ?? null, updated_at: Date.now() }
  searches.feedback.set(`${given.search_id}/${given.document_id}`, feedback)
  return { body: feedback }
}

const counts = (some: readonly SearchFeedback[]) => ({
  up: some.filter(({ verdict }) => verdict === 'up').length,
  down: some.filter(({ verdict }) => verdict === 'down').length
})

function summary({ state: { searches } }: MockRequest): { readonly body: SearchFeedbackSummary } {
  const all = [...searches.feedback.values()]
  const statusOf = (each: SearchFeedback) => searches.answers.get(each.search_id)!.status
  const byStatus = Map.groupBy(all, statusOf)
  const byDocument = Map.groupBy(all, (each) => each.document_id)
  return {
    body: {
      searches: searches.answers.size,
      judged_searches: new Set(all.map((each) => each.search_id)).size,
      ...counts(all),
      by_status: [...byStatus].map(([status, some]) => ({ status, ...counts(some) })),
      documents: [...byDocument].map(([id, some], index) => {
        return { document_id: id, title: index === 0 ? '连接被重置' : null, ...counts(some) }
      })
    }
  }
}

export const searchHandlers: MockHandlers = {
  search,
  giveSearchFeedback: judge,
  searchFeedbackSummary: summary
}
