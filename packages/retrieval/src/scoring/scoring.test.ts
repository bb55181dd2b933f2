import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CASES_ABSENT_REASON, CASES_PRESENT, readCases } from '../test-material/shared-cases.ts'
import { tokenize } from '../tokens/index.ts'
import { bm25Idf, bm25lIdf, bm25lScores, bm25lTermScore, bm25Scores, bm25TermScore, topScores } from './index.ts'

interface ScoreCases {
  corpora: Record<string, string[]>
  cases: { corpus: string; query: string; scores: number[]; top: number[] }[]
}

type Score = (query: readonly string[], documents: readonly (readonly string[])[]) => number[]

/** Cases whose scores differ from the expected by 1e-9 or more, or whose order differs. */
function failingCases(file: string, score: Score): string[] {
  const { corpora, cases } = readCases<ScoreCases>(file)
  expect(cases.length).toBeGreaterThan(100)
  const failing = cases.filter(({ corpus, query, scores, top }) => {
    const actual = score(tokenize(query), corpora[corpus]!.map(tokenize))
    const isClose = (expected: number, index: number): boolean => Math.abs(actual[index]! - expected) < 1e-9
    const sameScores = scores.length === actual.length && scores.every(isClose)
    return !sameScores || topScores(actual, 20).join() !== top.join()
  })
  return failing.map(({ corpus, query }) => `${corpus}: ${query}`)
}

describe('BM25L', () => {
  it.skipIf(!CASES_PRESENT)(`equals the reference scores and order (skipped where ${CASES_ABSENT_REASON})`, () => {
    expect(failingCases('bm25l.json', bm25lScores)).toEqual([])
  })

  it('adds for a repeated query token each time', () => {
    const documents = [['disk', 'full'], ['disk'], ['other']]
    const once = bm25lScores(['disk'], documents)
    const twice = bm25lScores(['disk', 'disk'], documents)
    for (const index of documents.keys()) expect(twice[index]).toBeCloseTo(2 * once[index]!, 12)
  })

  it('adds nothing for a term that a chunk lacks, though delta is above zero', () => {
    expect(bm25lTermScore(0, 10, 10)).toBe(0)
    expect(bm25lScores(['absent', 'disk'], [['disk'], ['other']])[1]).toBe(0)
  })

  it('sums idf times term score over the query, so that an engine may add one posting at a time', () => {
    const documents = [['a', 'b', 'b'], ['b'], ['c', 'c', 'c', 'c']]
    const expected = bm25lIdf(3, 1) * bm25lTermScore(1, 3, 8 / 3) + bm25lIdf(3, 2) * bm25lTermScore(2, 3, 8 / 3)
    expect(bm25lScores(['a', 'b'], documents)[0]).toBeCloseTo(expected, 12)
  })

  it('rises with the term frequency, falls with the length and with the number of chunks that have the term', () => {
    const count = fc.integer({ min: 1, max: 1_000 })
    fc.assert(
      fc.property(count, count, count, (frequency, length, average) => {
        const score = bm25lTermScore(frequency, length, average)
        expect(bm25lTermScore(frequency + 1, length, average)).toBeGreaterThan(score)
        expect(bm25lTermScore(frequency, length + 1, average)).toBeLessThan(score)
        expect(bm25lIdf(1_000, frequency)).toBeGreaterThan(bm25lIdf(1_000, frequency + 1))
      })
    )
  })

  it('gives finite scores for empty chunks and no chunks at all', () => {
    expect(bm25lScores(['a'], [])).toEqual([])
    expect(bm25lScores(['a'], [[], []])).toEqual([0, 0])
    expect(bm25lTermScore(1, 0, 0)).toBeGreaterThan(0)
  })
})

describe('BM25', () => {
  it.skipIf(!CASES_PRESENT)(`equals the reference scores and order (skipped where ${CASES_ABSENT_REASON})`, () => {
    expect(failingCases('bm25.json', bm25Scores)).toEqual([])
  })

  it('counts a repeated query token once', () => {
    const documents = [['disk', 'full'], ['disk']]
    expect(bm25Scores(['disk', 'disk'], documents)).toEqual(bm25Scores(['disk'], documents))
  })

  it('keeps a term of every document above zero, and an absent one at zero', () => {
    expect(bm25Idf(10, 10)).toBeGreaterThan(0)
    expect(bm25TermScore(0, 5, 5)).toBe(0)
  })
})

describe('topScores', () => {
  it('leaves zero scores out, keeps corpus order for equal ones and stops at the limit', () => {
    expect(topScores([1, 0, 2, 1, 2], 3)).toEqual([2, 4, 0])
  })
})
