import { describe, expect, it } from 'vitest'
import { bm25lTermScore } from '@oncall-agent/retrieval'
import { Random } from '@oncall-agent/retrieval/conformance'
import { countWords, writePostings } from '../postings/posting-words.ts'
import { PAGE_SLOTS } from '../storage/keys.ts'
import { PageScorer } from './score-page.ts'

const AVERAGE_LENGTH = 300
const WEIGHT = 1.7
/** Postings told to the scorer so that it chooses one way or the other. */
const FEW = 10
const MANY = 1_000_000

describe('the scores of a page', () => {
  it('are the same by table and by formula, for every frequency and for lengths that the table lacks', () => {
    const random = new Random(3)
    const lengths = Uint32Array.from({ length: PAGE_SLOTS }, () => 1 + Math.floor(random.next() * 2_000))
    const flat = [...lengths.keys()].flatMap((slot) => (slot % 3 === 0 ? [] : [slot, 1 + (slot % 20)]))
    const words = new Uint16Array(countWords(flat))
    writePostings(flat, 0, words, 0)
    const sumsOf = (postings: number): Float64Array => {
      const scorer = new PageScorer()
      scorer.start(AVERAGE_LENGTH, postings)
      scorer.add({ count: flat.length / 2, words }, lengths, WEIGHT)
      return scorer.sums
    }
    const expected = Float64Array.from(lengths, (length, slot) =>
      slot % 3 === 0 ? 0 : WEIGHT * bm25lTermScore(1 + (slot % 20), length - 1, AVERAGE_LENGTH)
    )
    expect(sumsOf(FEW)).toEqual(expected)
    expect(sumsOf(MANY)).toEqual(expected)
  })
})
