import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { effectScope, type EffectScope } from 'vue'
import { usePolling } from './use-polling.ts'

let scope: EffectScope
let hidden = false

beforeEach(() => {
  vi.useFakeTimers()
  scope = effectScope()
  hidden = false
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
})

/** Counts looks; `busy` says what each one answers. */
function polled(busy: () => boolean) {
  const looks: number[] = []
  const polling = scope.run(() =>
    usePolling(async () => {
      looks.push(Date.now())
      return busy()
    })
  )!
  return { looks, polling }
}

function setHidden(value: boolean): void {
  hidden = value
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('polling', () => {
  test('looks every second while something runs', async () => {
    const { looks, polling } = polled(() => true)
    await polling.now()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(looks).toHaveLength(6)
  })

  test('looks ever less often while nothing runs, at least once a minute', async () => {
    const { looks, polling } = polled(() => false)
    await polling.now()
    await vi.advanceTimersByTimeAsync(300_000)
    const waits = looks.slice(1).map((at, index) => (at - looks[index]!) / 1_000)
    expect(waits).toEqual([4, 8, 16, 32, 60, 60, 60, 60])
  })

  test('is quick again when something begins to run', async () => {
    let busy = false
    const { looks, polling } = polled(() => busy)
    await polling.now()
    busy = true
    await polling.now()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(looks).toHaveLength(5)
  })

  test('never looks while the page is hidden, and at once when it is shown again', async () => {
    const { looks, polling } = polled(() => true)
    await polling.now()
    setHidden(true)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(looks).toHaveLength(1)
    setHidden(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(looks).toHaveLength(2)
  })

  test('a look that ends after the page was hidden starts no timer', async () => {
    const { looks, polling } = polled(() => true)
    const look = polling.now()
    setHidden(true)
    await look
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks).toHaveLength(1)
  })

  test('a look that fails is no reason to ask more often', async () => {
    let looks = 0
    const polling = scope.run(() =>
      usePolling(() => {
        looks++
        return Promise.reject(new Error('down'))
      })
    )!
    await polling.now()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(looks).toBe(1)
  })

  test('ends with what it belongs to', async () => {
    const { looks, polling } = polled(() => true)
    await polling.now()
    scope.stop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(looks).toHaveLength(1)
  })
})
