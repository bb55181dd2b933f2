import type { Page } from '@oncall-agent/api-contracts'
import { ApiError } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { effectScope } from 'vue'
import { type PageWish, usePagedList } from './use-paged-list.ts'

const all = Array.from({ length: 5 }, (_each, index) => index)

/** A list of five numbers in pages; a cursor is where the next page begins. */
async function numbers({ limit, cursor }: PageWish): Promise<Page<number>> {
  const from = Number(cursor ?? 0)
  const next = from + limit < all.length ? String(from + limit) : null
  return { items: all.slice(from, from + limit), nextCursor: next, total: all.length }
}

const refused = (): ApiError =>
  new ApiError(503, { error: { code: 'SYSTEM_UNAVAILABLE', message: 'down', requestId: 'r1' } })

function listOf(load: (wish: PageWish) => Promise<Page<number>>) {
  const scope = effectScope()
  return { list: scope.run(() => usePagedList(load, 2))!, scope }
}

describe('a list in pages', () => {
  test('goes forward to the end and back to the beginning, one page at a time', async () => {
    const { list } = listOf(numbers)
    expect(list.phase.value).toBe('loading')
    await list.restart()
    expect([list.items.value, list.total.value, list.hasPrevious.value]).toEqual([[0, 1], 5, false])
    await list.next()
    await list.next()
    expect([list.items.value, list.firstIndex.value, list.hasNext.value]).toEqual([[4], 4, false])
    await list.next()
    expect(list.items.value).toEqual([4])
    await list.previous()
    await list.previous()
    await list.previous()
    expect([list.items.value, list.firstIndex.value]).toEqual([[0, 1], 0])
  })

  test('a refresh stays on the page, a restart goes to the first', async () => {
    const { list } = listOf(numbers)
    await list.restart()
    await list.next()
    await list.refresh()
    expect(list.items.value).toEqual([2, 3])
    await list.restart()
    expect(list.items.value).toEqual([0, 1])
  })

  test('a page that became empty gives way to the one before', async () => {
    let gone = false
    const { list } = listOf(async (wish) =>
      gone && wish.cursor === '4' ? { items: [], nextCursor: null, total: 4 } : numbers(wish)
    )
    await list.restart()
    await list.next()
    await list.next()
    gone = true
    await list.refresh()
    expect(list.items.value).toEqual([2, 3])
  })

  test('a failure is told, and a try after it can succeed', async () => {
    let down = true
    const { list } = listOf((wish) => (down ? Promise.reject(refused()) : numbers(wish)))
    await list.restart()
    expect([list.phase.value, list.problem.value?.requestId]).toEqual(['failed', 'r1'])
    down = false
    await list.restart()
    expect([list.phase.value, list.problem.value, list.items.value]).toEqual(['ready', null, [0, 1]])
  })

  test('only the newest question is answered, whichever answer comes first', async () => {
    const answers: ((page: Page<number>) => void)[] = []
    const { list } = listOf(() => new Promise((resolve) => answers.push(resolve)))
    const first = list.restart()
    const second = list.restart()
    answers[1]!({ items: [2], nextCursor: null, total: 1 })
    answers[0]!({ items: [1], nextCursor: null, total: 1 })
    await Promise.all([first, second])
    expect(list.items.value).toEqual([2])
  })

  test('what is still asked for is stopped when the list is left', async () => {
    const signals: AbortSignal[] = []
    const { list, scope } = listOf(({ signal }) => {
      signals.push(signal)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    })
    const asked = list.restart()
    scope.stop()
    await asked
    expect(signals[0]!.aborted).toBe(true)
    expect(list.phase.value).toBe('loading')
  })
})
