import type { SearchFeedback } from '@oncall-agent/api-contracts'
import { defineStore } from 'pinia'
import { computed, reactive, ref, watch } from 'vue'
import type { LocationQueryRaw } from 'vue-router'
import { useSession } from '../../session/session-store.ts'
import type { SearchAnswer } from './search-answer.ts'
import { addressOf, keyOf } from './wish-address.ts'
import type { SearchWish } from './search-wish.ts'

/** Answers kept for the way back; each is a page of documents at most. */
const KEPT = 20
/** Values offered while a filter is typed. */
const OFFERED = 50

/**
 * What was answered while the page is open: on the way back from a document the same answer is there, with what was said
 * of it, and no second search is on record. Somebody else who signs in finds nothing of it.
 */
export const useAnswers = defineStore('search-answers', () => {
  const session = useSession()
  const answers = new Map<string, SearchAnswer>()
  const judged = reactive(new Map<string, SearchFeedback>())
  const seen = { project: ref<readonly string[]>([]), equipment: ref<readonly string[]>([]) }
  const place = ref<LocationQueryRaw>({})
  const judgements = ref(0)

  function remember(answer: SearchAnswer): void {
    const key = keyOf(answer.wish)
    answers.delete(key)
    answers.set(key, answer)
    const [oldest] = answers.keys()
    if (answers.size > KEPT && oldest !== undefined) answers.delete(oldest)
    const { hits, facets } = answer.response
    for (const name of ['project', 'equipment'] as const) {
      const found = [...(facets?.[name] ?? []).map(({ value }) => value), ...hits.flatMap((hit) => hit[name] ?? [])]
      seen[name].value = [...new Set([...found, ...seen[name].value])].slice(0, OFFERED)
    }
  }
  function clear(): void {
    answers.clear()
    judged.clear()
    place.value = {}
    for (const values of Object.values(seen)) values.value = []
  }
  watch(() => session.user?.id, clear)
  return {
    remember,
    of: (wish: SearchWish): SearchAnswer | undefined => answers.get(keyOf(wish)),
    forget: (wish: SearchWish): void => void answers.delete(keyOf(wish)),
    verdictOf: (searchId: string, documentId: string): SearchFeedback | undefined =>
      judged.get(`${searchId}/${documentId}`),
    judge: (feedback: SearchFeedback): void => {
      judged.set(`${feedback.search_id}/${feedback.document_id}`, feedback)
      judgements.value++
    },
    /** How often something was said: what sums it up is old when this has grown. */
    judgements: computed(() => judgements.value),
    projects: computed(() => seen.project.value),
    equipment: computed(() => seen.equipment.value),
    /** Where the search was left, for the ways back to it. */
    place: computed(() => place.value),
    stay: (wish: SearchWish | null, other: SearchWish | null): void =>
      void (place.value = wish === null ? {} : addressOf(wish, other))
  }
})
