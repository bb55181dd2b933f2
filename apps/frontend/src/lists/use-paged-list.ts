import { type Page, PAGE_DEFAULT } from '@oncall-agent/api-contracts'
import { computed, onScopeDispose, ref, shallowRef } from 'vue'
import { type Problem, problemOf } from '../api/problem.ts'

export interface PageWish {
  readonly limit: number
  readonly cursor?: string
  readonly signal: AbortSignal
}

/** Query of a list route for a page. */
export function pageQueryOf({ limit, cursor }: PageWish): { readonly limit: number; readonly cursor?: string } {
  return cursor === undefined ? { limit } : { limit, cursor }
}

/**
 * A list that the server cuts into pages: only one page is ever held or drawn, so ten thousand rows cost what fifty do.
 * `phase` is `loading` only while there is nothing to show; a quiet refresh leaves the rows where they are.
 */
export function usePagedList<Item>(load: (wish: PageWish) => Promise<Page<Item>>, limit = PAGE_DEFAULT) {
  const items = shallowRef<readonly Item[]>([])
  const total = ref(0)
  const phase = ref<'loading' | 'ready' | 'failed'>('loading')
  const problem = shallowRef<Problem | null>(null)
  /** Cursors of the pages up to the one that is shown; the first page has none. */
  const trail = ref<(string | undefined)[]>([undefined])
  const nextCursor = ref<string | null>(null)
  let running: AbortController | undefined

  async function fetchPage(quiet: boolean): Promise<void> {
    running?.abort()
    const abort = new AbortController()
    running = abort
    if (!quiet || phase.value === 'failed') phase.value = 'loading'
    const cursor = trail.value.at(-1)
    try {
      const page = await load({ limit, ...(cursor === undefined ? {} : { cursor }), signal: abort.signal })
      if (running !== abort) return
      items.value = page.items
      total.value = page.total
      nextCursor.value = page.nextCursor
      phase.value = 'ready'
      problem.value = null
      // The page that was shown is empty now (its rows were deleted): the one before it is not.
      if (page.items.length === 0 && trail.value.length > 1) await previous()
    } catch (error) {
      const found = problemOf(error)
      if (running !== abort || found === null) return
      problem.value = found
      phase.value = 'failed'
    }
  }

  async function next(): Promise<void> {
    if (nextCursor.value === null) return
    trail.value = [...trail.value, nextCursor.value]
    await fetchPage(true)
  }
  async function previous(): Promise<void> {
    if (trail.value.length < 2) return
    trail.value = trail.value.slice(0, -1)
    await fetchPage(true)
  }
  /** From the first page: another filter, or a try after a failure. */
  async function restart(): Promise<void> {
    trail.value = [undefined]
    await fetchPage(false)
  }
  const refresh = (): Promise<void> => fetchPage(true)
  onScopeDispose(() => running?.abort())

  const firstIndex = computed(() => (trail.value.length - 1) * limit)
  const hasNext = computed(() => nextCursor.value !== null)
  const hasPrevious = computed(() => trail.value.length > 1)
  return { items, total, phase, problem, firstIndex, hasNext, hasPrevious, next, previous, restart, refresh }
}
