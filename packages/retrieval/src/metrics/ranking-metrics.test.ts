import { describe, expect, it } from 'vitest'
import { ndcg, reciprocalRank } from './index.ts'

// The whole of the reference values of trec_eval is compared in the evaluation package, which measures with these two.
const judgements = new Map([
  ['a', 2],
  ['b', 1],
  ['c', 0]
])

describe('ndcg', () => {
  it('is the discounted gain as a share of the best order', () => {
    expect(ndcg(['a', 'b'], judgements, 10)).toBe(1)
    expect(ndcg(['x', 'b', 'a'], judgements, 10)).toBeCloseTo((1 / Math.log2(3) + 2 / 2) / (2 + 1 / Math.log2(3)), 12)
    expect(ndcg(['x', 'b', 'a'], judgements, 1)).toBe(0)
    expect(ndcg(['a'], new Map([['a', 0]]), 10)).toBe(0)
  })
})

describe('reciprocalRank', () => {
  it('is 1 / rank of the first relevant document within the depth', () => {
    expect(reciprocalRank(['c', 'x', 'b', 'a'], judgements, 10)).toBe(1 / 3)
    expect(reciprocalRank(['c', 'x', 'b'], judgements, 2)).toBe(0)
    expect(reciprocalRank([], judgements, 10)).toBe(0)
  })
})
