import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CASES_ABSENT_REASON, CASES_PRESENT, readCases } from '../test-material/shared-cases.ts'
import { fuse, RRF_K } from './index.ts'

const idList = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 })

describe('fuse', () => {
  it.skipIf(!CASES_PRESENT)(`equals the reference (skipped where ${CASES_ABSENT_REASON})`, () => {
    const cases = readCases<{ lists: string[][]; fused: [string, number][] }[]>('rrf.json')
    expect(cases.length).toBeGreaterThan(5)
    for (const { lists, fused } of cases) {
      const actual = fuse(lists, { limit: 20 })
      expect(actual.map((item) => item.id)).toEqual(fused.map(([id]) => id))
      for (const [index, [, score]] of fused.entries()) expect(actual[index]!.score).toBeCloseTo(score, 12)
    }
  })

  it('gives the rank in each list, and null where a list does not have the id', () => {
    expect(fuse([['x', 'y'], ['y']], { limit: 20 })).toEqual([
      { id: 'y', score: 1 / (RRF_K + 2) + 1 / (RRF_K + 1), ranks: [2, 1] },
      { id: 'x', score: 1 / (RRF_K + 1), ranks: [1, null] }
    ])
  })

  it('counts a duplicate in one list once, and closes the ranks behind it', () => {
    const ranks = fuse([['a', 'a', 'b']], { limit: 20 }).map((item) => [item.id, ...item.ranks])
    expect(ranks).toEqual([
      ['a', 1],
      ['b', 2]
    ])
  })

  it('breaks equal scores by the better rank, then by id', () => {
    // With k = 0 all sums are 1: once first, twice second, or three times third.
    const fused = fuse(
      [
        ['r', 'q', 'p'],
        ['s', 'q'],
        ['t', 'x', 'p'],
        ['u', 'x', 'p']
      ],
      { k: 0, limit: 20 }
    )
    expect(fused.map((item) => item.id)).toEqual(['r', 's', 't', 'u', 'q', 'x', 'p'])
  })

  it('gives the same order whichever list comes first', () => {
    fc.assert(
      fc.property(idList, idList, idList, (one, two, three) => {
        const forward = fuse([one, two, three], { limit: 20 }).map((item) => [item.id, item.score])
        expect(fuse([three, one, two], { limit: 20 }).map((item) => [item.id, item.score])).toEqual(forward)
      })
    )
  })

  it('keeps every id of the lists once, up to the limit', () => {
    fc.assert(
      fc.property(idList, idList, fc.nat({ max: 6 }), (one, two, limit) => {
        const ids = fuse([one, two], { limit }).map((item) => item.id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.length).toBe(Math.min(limit, new Set([...one, ...two]).size))
      })
    )
  })
})
