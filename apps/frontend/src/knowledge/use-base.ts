import type { IndexTask, KnowledgeBaseView } from '@oncall-agent/api-contracts'
import { computed, ref, shallowRef } from 'vue'
import { useApi } from '../api/page-api.ts'
import { type Problem, problemOf } from '../api/problem.ts'
import { usePolling } from '../lists/use-polling.ts'
import { isActive, newestByDocument } from './document-state.ts'

/** Newest tasks looked at for progress; documents of one page are among them while they are worked on. */
const RECENT_TASKS = 100

/** One knowledge base, kept fresh while tasks of it run; `changes` counts looks after which lists should look too. */
export function useBase(baseId: () => string) {
  const api = useApi()
  const base = shallowRef<KnowledgeBaseView | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const tasks = shallowRef<readonly IndexTask[]>([])
  const changes = ref(0)
  let wasActive = true

  async function look(): Promise<boolean> {
    const params = { id: baseId() }
    try {
      const recent = await api.knowledgeBaseTasks({ params, query: { limit: RECENT_TASKS } })
      const active = recent.items.some(isActive)
      tasks.value = recent.items
      if (active || wasActive || base.value === null) base.value = await api.knowledgeBase({ params })
      // The look after the last active one is when the documents got their final states.
      if (active || wasActive) changes.value++
      wasActive = active
      problem.value = null
      return active
    } catch (error) {
      problem.value = problemOf(error) ?? problem.value
      return false
    }
  }
  const polling = usePolling(look)
  /** Something was changed here: look at once, whatever the tasks say. */
  async function refresh(): Promise<void> {
    wasActive = true
    await polling.now()
  }
  return { base, problem, tasks, changes, newest: computed(() => newestByDocument(tasks.value)), refresh }
}
