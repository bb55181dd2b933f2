import { type Page, PAGE_DEFAULT } from '@oncall-agent/api-contracts'
import { computed, type Ref, ref, type ShallowRef, shallowRef } from 'vue'
import type { Problem } from '../api/problem.ts'
import { useNewest } from '../api/use-newest.ts'

export interface PageWish {
  readonly limit: number
  readonly cursor?: string
  readonly signal: AbortSignal
}

/** Rows of one page, and the ways to the others. */
export interface PagedRows<Item> {
  readonly items: ShallowRef<readonly Item[]>
  /** Rows of all pages. */
  readonly total: Ref<number>
  /** `loading` only while there is nothing to show; a quiet refresh leaves the rows where they are. */
  readonly phase: Ref<'loading' | 'ready' | 'failed'>
  readonly problem: ShallowRef<Problem | null>
  /** Rows before the page, if all pages before it are full. */
  readonly firstIndex: Readonly<Ref<number>>
  readonly hasNext: Readonly<Ref<boolean>>
  readonly hasPrevious: Readonly<Ref<boolean>>
  readonly next: () => Promise<void>
  readonly previous: () => Promise<void>
  /** From the first page: another filter, or a try after a failure. */
  readonly restart: () => Promise<void>
  readonly refresh: () => Promise<void>
}

/** Cursors of the pages up to the one that is shown. The first page has none; others have none while unknown. */
export type Trail = readonly (string | undefined)[]

/** Query of a list route for a page. */
export function pageQueryOf({ limit, cursor }: PageWish): { readonly limit: number; readonly cursor?: string } {
  return cursor === undefined ? { limit } : { limit, cursor }
}

/**
 * A list that the server cuts into pages: only one page is ever held or drawn, so ten thousand rows cost what fifty do.
 * @param trail where to begin, and where the list tells its way: an address can keep it
 */
export function usePagedList<Item>(
  load: (wish: PageWish) => Promise<Page<Item>>,
  limit = PAGE_DEFAULT,
  trail: Ref<Trail> = shallowRef([undefined])
): PagedRows<Item> {
  const items = shallowRef<readonly Item[]>([])
  const total = ref(0)
  const phase = ref<'loading' | 'ready' | 'failed'>('loading')
  const problem = shallowRef<Problem | null>(null)
  const nextCursor = ref<string | null>(null)
  const ask = useNewest()

  async function fetchPage(quiet: boolean): Promise<void> {
    if (!quiet || phase.value === 'failed') phase.value = 'loading'
    const cursor = trail.value.at(-1)
    const answered = await ask((signal) => load({ limit, ...(cursor === undefined ? {} : { cursor }), signal }))
    if (answered === null) return
    if ('problem' in answered) {
      problem.value = answered.problem
      phase.value = 'failed'
      return
    }
    const page = answered.value
    items.value = page.items
    total.value = page.total
    nextCursor.value = page.nextCursor
    phase.value = 'ready'
    problem.value = null
    // The page that was shown is empty now (its rows were deleted): the one before it is not.
    if (page.items.length === 0 && trail.value.length > 1) await previous()
  }

  async function next(): Promise<void> {
    if (nextCursor.value === null) return
    trail.value = [...trail.value, nextCursor.value]
    await fetchPage(true)
  }
  async function previous(): Promise<void> {
    if (trail.value.length < 2) return
    const before = trail.value.slice(0, -1)
    // A page whose cursor is unknown cannot be asked for: the first one can.
    trail.value = before.at(-1) === undefined ? [undefined] : before
    await fetchPage(true)
  }
  async function restart(): Promise<void> {
    trail.value = [undefined]
    await fetchPage(false)
  }
  const refresh = (): Promise<void> => fetchPage(true)

  const firstIndex = computed(() => (trail.value.length - 1) * limit)
  const hasNext = computed(() => nextCursor.value !== null)
  const hasPrevious = computed(() => trail.value.length > 1)
  return { items, total, phase, problem, firstIndex, hasNext, hasPrevious, next, previous, restart, refresh }
}
