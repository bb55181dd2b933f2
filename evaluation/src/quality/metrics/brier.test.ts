import { describe, expect, it } from 'vitest'
import reference from './fixtures/reference-values.json' with { type: 'json' }
import { brierScore } from './brier.ts'

describe('Brier score', () => {
  it('equals the mean squared distance that numpy computes', () => {
    const { probabilities, outcomes, expected } = reference.brier
    const report = brierScore(probabilities.map((probability, index) => ({ probability, relevant: outcomes[index]! })))
    expect(report.brier).toBeCloseTo(expected, 12)
    expect(report.forecasts).toBe(50)
  })

  it('has skill 1 for certain truth, 0 for the base rate, and less for certain falsehood', () => {
    const outcomes = [true, false, false, false]
    const say = (probability: (relevant: boolean) => number): number =>
      brierScore(outcomes.map((relevant) => ({ probability: probability(relevant), relevant }))).skill
    expect(say(Number)).toBe(1)
    expect(say(() => 0.25)).toBeCloseTo(0, 12)
    expect(say((relevant) => Number(!relevant))).toBeLessThan(0)
  })

  it('has no skill to show where all outcomes are alike', () => {
    expect(brierScore([{ probability: 0.3, relevant: false }])).toMatchObject({ baseRate: 0, skill: 0 })
  })

  it('refuses what is no probability, and nothing at all', () => {
    expect(() => brierScore([{ probability: 1.01, relevant: true }])).toThrow(/0\.\.1/)
    expect(() => brierScore([{ probability: Number.NaN, relevant: true }])).toThrow(/0\.\.1/)
    expect(() => brierScore([])).toThrow(RangeError)
  })
})
