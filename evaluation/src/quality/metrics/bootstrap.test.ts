import { describe, expect, it } from 'vitest'
import reference from './fixtures/reference-values.json' with { type: 'json' }
import { bootstrapMean, comparePaired } from './bootstrap.ts'

/** A bound from 2,000 resamples stands this near to one from 200,000, in units of the interval's width. */
const resamplingError = 0.06

describe('bootstrap intervals', () => {
  it.each(reference.intervals.map((entry, index) => ({ ...entry, index })))(
    'come near numpy on sample $index',
    ({ values, low, high }) => {
      const interval = bootstrapMean(values)
      const width = high - low
      expect(Math.abs(interval.low - low) / width).toBeLessThan(resamplingError)
      expect(Math.abs(interval.high - high) / width).toBeLessThan(resamplingError)
    }
  )

  it('are the same for the same seed and differ for another', () => {
    const values = reference.intervals[1]!.values
    expect(bootstrapMean(values)).toEqual(bootstrapMean(values))
    expect(bootstrapMean(values, { seed: 1 }).low).not.toBe(bootstrapMean(values, { seed: 2 }).low)
  })

  it('shrink to the value when all values are equal', () => {
    expect(bootstrapMean([0.5, 0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 })
  })

  it('call a steady small gain better although the values themselves spread widely', () => {
    const base = Array.from({ length: 60 }, (_, index) => (index % 10) / 10)
    const gained = base.map((value, index) => value + 0.01 + (index % 3) * 0.005)
    expect(comparePaired(gained, base).verdict).toBe('better')
    expect(comparePaired(base, gained).verdict).toBe('worse')
  })

  it('leave a difference that changes sign undecided', () => {
    const difference = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 0.1 : -0.1))
    expect(
      comparePaired(
        difference,
        Array.from({ length: 40 }, () => 0)
      ).verdict
    ).toBe('undecided')
  })

  it('refuse no values and unpaired values', () => {
    expect(() => bootstrapMean([])).toThrow(RangeError)
    expect(() => comparePaired([1, 2], [1])).toThrow(/two values a query/)
  })
})
