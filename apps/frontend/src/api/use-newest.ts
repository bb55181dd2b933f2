import { onScopeDispose } from 'vue'
import { type Problem, problemOf } from './problem.ts'

/** What came of a question; null when a newer one was asked meanwhile, or nobody waits any more. */
export type Answered<Value> = { readonly value: Value } | { readonly problem: Problem } | null

/**
 * Only the newest question is answered: asking again stops the one before, and leaving the scope stops all.
 * Answers come in any order, and an old one must not replace a newer one on the page.
 */
export function useNewest() {
  let running: AbortController | undefined
  onScopeDispose(() => running?.abort())

  return async function ask<Value>(question: (signal: AbortSignal) => Promise<Value>): Promise<Answered<Value>> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    // Something that cannot be stopped answers all the same, after its time.
    const isOld = (): boolean => running !== mine || mine.signal.aborted
    try {
      const value = await question(mine.signal)
      return isOld() ? null : { value }
    } catch (error) {
      if (isOld()) return null
      const problem = problemOf(error)
      return problem === null ? null : { problem }
    }
  }
}
