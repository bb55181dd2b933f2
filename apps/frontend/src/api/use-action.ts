import { type Ref, ref, shallowRef, type ShallowRef } from 'vue'
import { type Problem, problemOf } from './problem.ts'

export interface Action {
  readonly busy: Ref<boolean>
  readonly problem: ShallowRef<Problem | null>
  /** True when the work succeeded; a second call while one runs does nothing. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>
}

/** One thing at a time that a person asked for: whether it runs, and how it failed. */
export function useAction(): Action {
  const busy = ref(false)
  const problem = shallowRef<Problem | null>(null)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (busy.value) return false
    busy.value = true
    problem.value = null
    try {
      await work()
      return true
    } catch (error) {
      problem.value = problemOf(error)
      return false
    } finally {
      busy.value = false
    }
  }
  return { busy, problem, run }
}
