import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { median, percentile, timeInTurn, timeOnce } from './samples.ts'

describe('samples', () => {
  it('give percentiles by nearest rank', () => {
    const samples = [5, 1, 4, 2, 3]
    expect(median(samples)).toBe(3)
    expect(percentile(samples, 0.95)).toBe(5)
    expect(percentile(samples, 0.2)).toBe(1)
    expect(percentile([7], 0.99)).toBe(7)
    expect(() => median([])).toThrow(RangeError)
  })

  it('are taken in turn, after rounds that are not counted', async () => {
    const calls: string[] = []
    const samples = await timeInTurn(
      { a: (round) => calls.push(`a${round}`), b: (round) => calls.push(`b${round}`) },
      2
    )
    expect(calls).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
    expect(samples.a).toHaveLength(2)
  })

  it('cover the time until the promise is settled', async () => {
    const { slow, quick } = await timeInTurn({ slow: () => wait(20), quick: () => undefined }, 3)
    expect(median(slow)).toBeGreaterThan(15)
    expect(median(quick)).toBeLessThan(15)
    expect((await timeOnce(async () => 5)).value).toBe(5)
  })
})
