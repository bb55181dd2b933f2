import { ApiError } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { effectScope } from 'vue'
import { useNewest } from './use-newest.ts'

const refused = (): ApiError =>
  new ApiError(503, { error: { code: 'SYSTEM_UNAVAILABLE', message: 'down', requestId: 'r1' } })

/** Questions that are answered by hand, in any order. */
function byHand() {
  const scope = effectScope()
  const ask = scope.run(useNewest)!
  const open: { signal: AbortSignal; resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const question = (signal: AbortSignal): Promise<number> =>
    new Promise((resolve, reject) => open.push({ signal, resolve, reject }))
  return { scope, open, next: () => ask(question) }
}

describe('the newest question', () => {
  test('is answered, and the one before it is stopped and answers nothing', async () => {
    const { open, next } = byHand()
    const [first, second] = [next(), next()]
    expect(open.map(({ signal }) => signal.aborted)).toEqual([true, false])
    open[1]!.resolve(2)
    open[0]!.resolve(1)
    expect(await Promise.all([first, second])).toEqual([null, { value: 2 }])
  })

  test('tells its own failure, not that of an older one', async () => {
    const { open, next } = byHand()
    const [first, second] = [next(), next()]
    open[0]!.reject(new ApiError(404, { error: { code: 'NOT_FOUND', message: 'gone', requestId: 'r0' } }))
    open[1]!.reject(refused())
    expect(await first).toBeNull()
    expect(await second).toMatchObject({ problem: { code: 'SYSTEM_UNAVAILABLE', requestId: 'r1' } })
  })

  test('answers nothing when nobody waits any more', async () => {
    const { open, next, scope } = byHand()
    const asked = next()
    scope.stop()
    expect(open[0]!.signal.aborted).toBe(true)
    open[0]!.resolve(1)
    expect(await asked).toBeNull()
  })
})
