import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverageShare, identifierShare, queryWords, rarityOf, titleShare } from './lexical-features.ts'
import { scoreLinearly, type Formula, type PairFeatures } from './linear-formula.ts'
import { probabilities } from './probability.ts'

const FORMULAS: readonly Formula[] = ['with-tokens', 'without-tokens']

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

const features: PairFeatures = {
  maxSim: 0.6,
  e5: 0.5,
  use: 0.4,
  length: Math.log(300),
  identifiers: 0.9,
  title: 0.2,
  coverage: 0.7,
  otherLanguage: 1
}

describe('linear formula', () => {
  it('is the published sum with token vectors, and the published sum without', () => {
    expect(scoreLinearly(features, 'with-tokens').raw).toBeCloseTo(
      0.6 + 0.3 * 0.5 + 0.5 * 0.4 - 0.02 * Math.log(300) + 0.3 * 0.9 + 0.4 * 0.2 + 0.3 * 0.7 + 0.1,
      12
    )
    expect(scoreLinearly(features, 'without-tokens').raw).toBeCloseTo(
      0.5 + 0.6 * 0.4 + 0.3 * 0.9 + 0.4 * 0.2 + 0.4 * 0.7 + 0.1,
      12
    )
  })

  it('can be taken apart: the parts add up to the score, each named by its feature', () => {
    for (const formula of FORMULAS) {
      const { raw, parts } = scoreLinearly(features, formula)
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(raw, 12)
      for (const name of Object.keys(parts)) expect(Object.keys(features)).toContain(name)
    }
    expect(scoreLinearly(features, 'without-tokens').parts).not.toHaveProperty('maxSim')
  })
})

const distinct = (scores: readonly number[]) => scores.map((raw, index) => ({ raw, content: `text ${index}` }))

describe('probability', () => {
  // Few texts, so that most pools hold copies.
  const candidate = fc.record({
    raw: fc.double({ min: -1, max: 3, noNaN: true }),
    content: fc.constantFrom('a', 'b', 'c')
  })
  const pool = fc.array(candidate, { maxLength: 40 })

  it('is what the calibration says for a pool worked out by hand', () => {
    const [second, first] = probabilities(distinct([1.2, 1.5]), 'with-tokens')
    expect(first).toBeCloseTo(sigmoid(1.8738417 * 1.5 + 18.761998 * 0.3 - 3.3172616), 9)
    expect(second).toBeCloseTo(sigmoid(1.8738417 * 1.2 - 8.9455072 * 0.3 - 3.3172616), 9)
  })

  it('lies in 0..1 and keeps the order of the scores', () => {
    fc.assert(
      fc.property(pool, fc.constantFrom(...FORMULAS), (candidates, formula) => {
        const chances = probabilities(candidates, formula)
        for (const chance of chances) {
          expect(chance).toBeGreaterThanOrEqual(0)
          expect(chance).toBeLessThanOrEqual(1)
        }
        const byScore = chances.map((_, i) => i).toSorted((i, j) => candidates[j]!.raw - candidates[i]!.raw)
        const ordered = byScore.map((i) => chances[i]!)
        expect(ordered).toEqual(ordered.toSorted((left, right) => right - left))
      })
    )
  })

  it('gives no lead to one alone, or to two that tie', () => {
    const [alone] = probabilities(distinct([1]), 'with-tokens')
    expect(probabilities(distinct([1, 1]), 'with-tokens')).toEqual([alone, alone])
    expect(probabilities([], 'with-tokens')).toEqual([])
  })

  it('is the same for a piece and its copy, and the same as without the copy', () => {
    const other = { raw: 1.2, content: 'other' }
    const [before, rival] = probabilities([{ raw: 1.5, content: 'piece' }, other], 'with-tokens')
    const copies = [{ raw: 1.5, content: 'piece' }, { raw: 1.5, content: 'piece' }, other]
    expect(probabilities(copies, 'with-tokens')).toEqual([before, before, rival])
  })
})

describe('lexical features', () => {
  const statistics = { chunks: 100, averageLength: 50, frequency: [] as number[] }
  const rarity = (frequencies: Readonly<Record<string, number>>): ReturnType<typeof rarityOf> =>
    rarityOf(Object.keys(frequencies), { ...statistics, frequency: Object.values(frequencies) })

  it('takes codes and names for identifiers, and joined lower-case words for language', () => {
    expect(queryWords('rate-limit read/write of api-v2, E_CONN_RESET, Foo-Bar').identifiers).toEqual([
      'api-v2',
      'e_conn_reset',
      'foo-bar'
    ])
  })

  it('weighs a rare token more than a common one', () => {
    const words = { tokens: ['rare', 'common'], identifiers: [] }
    const scope = rarity({ rare: 1, common: 90 })
    const withRare = coverageShare(words, new Set(['rare']), scope)
    expect(withRare).toBeGreaterThan(0.9)
    expect(coverageShare(words, new Set(['common']), scope)).toBeCloseTo(1 - withRare, 12)
  })

  it('gives a common identifier or title no full share, and a token unknown to the scope its full weight', () => {
    const scope = rarity({ '504': 60 })
    const share = Math.log(101) - Math.log(60.5)
    const floor = Math.log(101) - Math.log(1.5)
    expect(identifierShare({ tokens: ['504'], identifiers: ['504'] }, new Set(['504']), scope)).toBeCloseTo(
      share / floor,
      12
    )
    expect(titleShare(['504'], new Set(['504']), scope)).toBeCloseTo(share / floor, 12)
    expect(identifierShare({ tokens: [], identifiers: ['new'] }, new Set(['new']), scope)).toBe(1)
  })

  it('is 0 without words, without a title, and in an empty scope', () => {
    const empty = rarityOf([], { chunks: 0, averageLength: 0, frequency: [] })
    expect(coverageShare(queryWords('？！'), new Set(), empty)).toBe(0)
    expect(titleShare([], new Set(['a']), empty)).toBe(0)
    expect(identifierShare(queryWords('E_1'), new Set(), empty)).toBe(0)
  })
})
