import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import reference from './fixtures/reference-values.json' with { type: 'json' }
import { meanOfMetrics, measureRanking, metricNames, ndcg, recall, reciprocalRank } from './ranking-metrics.ts'

const judged = (grades: Record<string, number>): Map<string, number> => new Map(Object.entries(grades))

describe('ranking metrics', () => {
  it('has cases of every kind to compare with', () => {
    const kinds = new Set(reference.rankings.map((entry) => entry.name.replace(/ \d+$/, '')))
    expect([...kinds]).toEqual(['binary', 'graded', 'tied', 'nothing relevant', 'one document'])
    expect(reference.rankings.filter((entry) => entry.expected['ndcg@10'] > 0).length).toBeGreaterThan(25)
  })

  it.each(reference.rankings)('equals trec_eval on "$name"', ({ ranking, judgements, expected }) => {
    const values = measureRanking(ranking, judged(judgements as unknown as Record<string, number>))
    for (const name of metricNames) expect(values[name]).toBeCloseTo(expected[name], 9)
  })

  it('uses the grade itself as gain', () => {
    const judgements = judged({ a: 3, b: 1 })
    expect(ndcg(['b', 'a'], judgements, 10)).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)), 12)
  })

  it('gives 1 to the ideal order and less to any other order of unequal grades', () => {
    const judgements = judged({ a: 3, b: 2, c: 1 })
    expect(ndcg(['a', 'b', 'c'], judgements, 5)).toBe(1)
    expect(ndcg(['b', 'a', 'c'], judgements, 5)).toBeLessThan(1)
  })

  it('reads no further than its depth', () => {
    const judgements = judged({ z: 1 })
    const late = [...'abcdefghij', 'z']
    expect(reciprocalRank(late, judgements, 10)).toBe(0)
    expect(ndcg(late, judgements, 10)).toBe(0)
    expect(recall(late, judgements, 20)).toBe(1)
  })

  it('stays within 0..1 for any ranking and judgements', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 16 })
    fc.assert(
      fc.property(
        ids,
        fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 0, max: 4 })),
        (list, grades) => {
          const values = measureRanking(list, judged(grades))
          for (const name of metricNames) {
            expect(values[name]).toBeGreaterThanOrEqual(0)
            expect(values[name]).toBeLessThanOrEqual(1 + 1e-12)
          }
        }
      )
    )
  })

  it('never falls when a relevant document moves up one place', () => {
    const ids = [...'abcdefghij']
    fc.assert(
      fc.property(fc.shuffledSubarray(ids, { minLength: 10 }), fc.integer({ min: 1, max: 9 }), (order, place) => {
        const judgements = judged({ [order[place]!]: 2 })
        const raised = [...order]
        raised.splice(place - 1, 2, order[place]!, order[place - 1]!)
        expect(ndcg(raised, judgements, 10)).toBeGreaterThan(ndcg(order, judgements, 10))
      })
    )
  })

  it('averages over queries and calls no query 0', () => {
    const one = measureRanking(['a'], judged({ a: 1 }))
    const none = measureRanking(['b'], judged({ a: 1 }))
    expect(meanOfMetrics([one, none])['ndcg@10']).toBe(0.5)
    expect(meanOfMetrics([])['recall@20']).toBe(0)
  })
})
