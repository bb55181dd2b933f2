import type { Conversation } from '@oncall-agent/api-contracts'
import { useApi } from '../api/page-api.ts'
import { pageQueryOf, type PagedRows, usePagedList } from '../lists/use-paged-list.ts'

/** Conversations beside the one that is open. */
const PAGE = 25

/** The own conversations, the last changed first. */
export function useConversations(): PagedRows<Conversation> {
  const api = useApi()
  return usePagedList((wish) => api.conversations({ query: pageQueryOf(wish), signal: wish.signal }), PAGE)
}
