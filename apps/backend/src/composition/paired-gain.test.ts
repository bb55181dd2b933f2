import type { JudgedSearch } from '@oncall-agent/retrieval'
import { describe, expect, it } from 'vitest'
import { pairedGain } from './paired-gain.ts'

const words = { titleBoost: 3, vectorWeight: 0, rrfWindow: 50 }
const meaning = { titleBoost: 3, vectorWeight: 1, rrfWindow: 50 }

/** Of two documents the first is found by its words, the second by its meaning. */
function search(relevant: 'first' | 'second'): JudgedSearch {
  const candidates = [
    { documentId: 'first', bm25: 2, vectorPart: 0.1 },
    { documentId: 'second', bm25: 1, vectorPart: 1.9 }
  ]
  return { id: relevant, judgements: new Map([[relevant, 1]]), recalls: new Map([[3, candidates]]) }
}

/** Gain of the first place over the second. */
const step = 1 - 1 / Math.log2(3)

describe('the gain of settings', () => {
  it('is the mean of the differences search by search, with its standard error', () => {
    const searches = [search('second'), search('second'), search('second'), search('first')]
    const { mean, standardError } = pairedGain(searches, words, meaning)
    expect(mean).toBeCloseTo(step / 2, 12)
    // Three times +step/2 and once -3·step/2 about the mean: variance step²·3/3, over four searches.
    expect(standardError).toBeCloseTo(step / 2, 12)
    expect(pairedGain(searches, meaning, words).mean).toBeCloseTo(-step / 2, 12)
  })

  it('has no error where every search gains the same, and none to tell of fewer than two', () => {
    expect(pairedGain([search('second'), search('second')], words, meaning).standardError).toBe(0)
    expect(pairedGain([search('second')], words, meaning)).toEqual({ mean: expect.closeTo(step, 12), standardError: 0 })
    expect(pairedGain([], words, meaning)).toEqual({ mean: 0, standardError: 0 })
  })
})
