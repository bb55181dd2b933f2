import { describe, expect, it } from 'vitest'
import { seededNormal, seededRandom } from './seeded-random.ts'

const take = (count: number, next: () => number): number[] => Array.from({ length: count }, () => next())

describe('seeded random numbers', () => {
  it('repeat for the same seed and differ for another', () => {
    expect(take(5, seededRandom(3))).toEqual(take(5, seededRandom(3)))
    expect(take(5, seededRandom(3))).not.toEqual(take(5, seededRandom(4)))
  })

  it('fill 0..1 evenly', () => {
    const counts = [0, 0, 0, 0]
    for (const value of take(40_000, seededRandom(1))) counts[Math.floor(value * 4)]!++
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400)
  })

  it('give normals of mean 0 and variance 1', () => {
    const values = take(40_000, seededNormal(seededRandom(2)))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
    expect(Math.abs(mean)).toBeLessThan(0.03)
    expect(Math.abs(variance - 1)).toBeLessThan(0.05)
  })
})
