import { computed, type Ref, ref, type ShallowRef, shallowRef } from 'vue'
import { useApi } from '../../api/page-api.ts'
import type { Problem } from '../../api/problem.ts'
import { useNewest } from '../../api/use-newest.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useAnswers } from './answers-store.ts'
import type { SearchAnswer } from './search-answer.ts'
import { requestOf, type SearchWish } from './search-wish.ts'

/** One search that is shown: its answer, or how it failed. */
export interface ShownSearch {
  readonly answer: ShallowRef<SearchAnswer | null>
  readonly problem: ShallowRef<Problem | null>
  readonly busy: Readonly<Ref<boolean>>
  /** Answers a wish as it was answered before on this page, or asks; null shows nothing. */
  readonly show: (wish: SearchWish | null) => Promise<void>
}

export function useSearch(): ShownSearch {
  const api = useApi()
  const answers = useAnswers()
  const ask = useNewest()
  const { locale } = useTexts()
  const answer = shallowRef<SearchAnswer | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const asking = ref(0)

  async function show(wish: SearchWish | null): Promise<void> {
    problem.value = null
    answer.value = wish === null ? null : (answers.of(wish) ?? null)
    asking.value++
    try {
      // Even what needs no asking stops what was asked before: its answer must not come later.
      const answered = await ask((signal) => answerTo(wish, signal))
      if (answered === null) return
      if ('problem' in answered) problem.value = answered.problem
      else answer.value = answered.value
    } finally {
      asking.value--
    }
  }
  async function answerTo(wish: SearchWish | null, signal: AbortSignal): Promise<SearchAnswer | null> {
    if (wish === null || answer.value !== null) return answer.value
    const asked = { wish, locale: locale.value }
    const response = await api.search({ body: requestOf(wish), signal })
    const made = { ...asked, response, at: Date.now() }
    answers.remember(made)
    return made
  }
  return { answer, problem, busy: computed(() => asking.value > 0), show }
}
