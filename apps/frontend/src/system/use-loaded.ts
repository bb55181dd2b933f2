import { ref, shallowRef } from 'vue'
import { type Problem, problemOf } from '../api/problem.ts'

/** One thing that is looked at again and again; a failed look keeps what was seen before out of sight. */
export function useLoaded<Value>(load: () => Promise<Value>) {
  const value = shallowRef<Value | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const phase = ref<'loading' | 'ready' | 'failed'>('loading')
  async function look(): Promise<void> {
    try {
      value.value = await load()
      problem.value = null
      phase.value = 'ready'
    } catch (error) {
      problem.value = problemOf(error)
      phase.value = 'failed'
    }
  }
  return { value, problem, phase, look }
}
