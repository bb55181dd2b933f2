import { ref, shallowRef } from 'vue'
import type { Problem } from '../api/problem.ts'
import { useNewest } from '../api/use-newest.ts'

/** One thing that is looked at again and again; a failed look keeps what was seen before out of sight. */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>) {
  const value = shallowRef<Value | null>(null)
  const problem = shallowRef<Problem | null>(null)
  const phase = ref<'loading' | 'ready' | 'failed'>('loading')
  const ask = useNewest()
  async function look(): Promise<void> {
    const answered = await ask(load)
    if (answered === null) return
    if ('problem' in answered) {
      problem.value = answered.problem
      phase.value = 'failed'
      return
    }
    value.value = answered.value
    problem.value = null
    phase.value = 'ready'
  }
  return { value, problem, phase, look }
}
