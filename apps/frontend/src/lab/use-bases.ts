import type { KnowledgeBaseView } from '@oncall-agent/api-contracts'
import { computed, shallowRef } from 'vue'
import { useApi } from '../api/page-api.ts'
import { type Problem, problemOf } from '../api/problem.ts'

/** Bases offered as a filter; more than these are searched all the same. */
const BASES_SHOWN = 200

/** The knowledge bases that one may read, and their names by id. */
export function useBases() {
  const api = useApi()
  const bases = shallowRef<readonly KnowledgeBaseView[]>([])
  const basesProblem = shallowRef<Problem | null>(null)
  const names = computed(() => new Map(bases.value.map(({ id, name }) => [id, name])))

  async function loadBases(): Promise<void> {
    try {
      bases.value = (await api.knowledgeBases({ query: { limit: BASES_SHOWN } })).items
      basesProblem.value = null
    } catch (error) {
      basesProblem.value = problemOf(error)
    }
  }
  return { bases, basesProblem, names, loadBases }
}
