import { describe, expect, it } from 'vitest'
import { fewAtOnce } from './few-at-once.ts'

/** Work that ends when the test says so. */
function held() {
  const begun: number[] = []
  const ends: PromiseWithResolvers<number>[] = []
  const work = (id: number) => () => {
    begun.push(id)
    const end = Promise.withResolvers<number>()
    ends[id] = end
    return end.promise
  }
  return { begun, ends, work }
}

describe('few at once', () => {
  it('does as many as it may, and the others in the order in which they came', async () => {
    const inTurn = fewAtOnce({ atOnce: 2, waiting: 10 })
    const { begun, ends, work } = held()
    const done = [0, 1, 2, 3].map((id) => inTurn(work(id)))
    await Promise.resolve()
    expect(begun).toEqual([0, 1])
    ends[1]?.resolve(11)
    expect(await done[1]).toBe(11)
    await expect.poll(() => begun).toEqual([0, 1, 2])
    ends[0]?.resolve(10)
    await expect.poll(() => begun).toEqual([0, 1, 2, 3])
    ends[2]?.resolve(12)
    ends[3]?.resolve(13)
    expect(await Promise.all(done)).toEqual([10, 11, 12, 13])
  })

  it('goes on after work that failed', async () => {
    const inTurn = fewAtOnce({ atOnce: 1, waiting: 10 })
    const failed = inTurn(() => Promise.reject(new Error('broken')))
    const next = inTurn(async () => 'done')
    await expect(failed).rejects.toThrow('broken')
    expect(await next).toBe('done')
    expect(await inTurn(async () => 'again')).toBe('again')
  })

  it('turns away who would wait behind too many, and takes them when there is room again', async () => {
    const inTurn = fewAtOnce({ atOnce: 1, waiting: 1 })
    const { ends, work } = held()
    const first = inTurn(work(0))
    const second = inTurn(work(1))
    await expect(inTurn(work(2))).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 5 } })
    ends[0]?.resolve(0)
    await first
    const third = inTurn(async () => 3)
    await expect.poll(() => ends[1]).toBeDefined()
    ends[1]?.resolve(1)
    expect(await Promise.all([second, third])).toEqual([1, 3])
  })
})
