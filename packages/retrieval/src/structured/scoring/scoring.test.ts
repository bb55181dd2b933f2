import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bm25Scores } from '../../scoring/index.ts'
import { CASES_ABSENT_REASON, CASES_PRESENT, readCases } from '../../test-material/shared-cases.ts'
import { tokenize } from '../../tokens/index.ts'
import {
  cosineOf,
  documentScore,
  fieldScore,
  fieldStatistics,
  fieldTokens,
  isComparable,
  looseClause,
  minimumTokens,
  rankStructured,
  rescore,
  strictClause,
  vectorPartOf
} from './index.ts'

const anyToken = { minimum: 1 }

function fieldsOf(texts: readonly string[]): ReturnType<typeof fieldTokens>[] {
  return texts.map((text) => fieldTokens(tokenize(text)))
}

describe('fieldScore', () => {
  it.skipIf(!CASES_PRESENT)(`equals the reference scores (skipped where ${CASES_ABSENT_REASON})`, () => {
    const { corpora, cases } = readCases<{
      corpora: Record<string, string[]>
      cases: { corpus: string; query: string; scores: number[] }[]
    }>('bm25.json')
    // The reference counts a document without tokens; Lucene's count of a field does not.
    const whole = cases.filter(({ corpus }) => corpora[corpus]!.every((text) => tokenize(text).length > 0))
    expect(whole.length).toBeGreaterThan(50)
    for (const { corpus, query, scores } of whole) {
      const fields = fieldsOf(corpora[corpus]!)
      const statistics = fieldStatistics(fields)
      const clause = { tokens: [...new Set(tokenize(query))], ...anyToken }
      const actual = fields.map((field) => fieldScore(clause, field, statistics) ?? 0)
      expect(actual).toHaveLength(scores.length)
      for (const [index, score] of scores.entries()) expect(actual[index]).toBeCloseTo(score, 9)
    }
  })

  it('equals brute force over the documents that have the field', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd')
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 8 }),
        fc.uniqueArray(word),
        (texts, tokens) => {
          const fields = texts.map(fieldTokens)
          const statistics = fieldStatistics(fields)
          const actual = fields.map((field) => fieldScore({ tokens, ...anyToken }, field, statistics))
          const present = texts.filter((text) => text.length > 0)
          const expected = bm25Scores(tokens, present)
          let next = 0
          for (const [index, text] of texts.entries()) {
            const score = text.length === 0 ? 0 : expected[next++]!
            expect(actual[index] ?? 0).toBeCloseTo(score, 12)
            expect(actual[index] === null).toBe(!tokens.some((token) => text.includes(token)))
          }
        }
      )
    )
  })

  it('is null below the minimum, and a number, if a small one, at it', () => {
    const [field] = fieldsOf(['alpha beta'])
    const statistics = fieldStatistics([field!])
    expect(fieldScore({ tokens: ['alpha', 'beta', 'gamma'], minimum: 3 }, field!, statistics)).toBeNull()
    expect(fieldScore({ tokens: ['alpha', 'beta', 'gamma'], minimum: 2 }, field!, statistics)).toBeGreaterThan(0)
    expect(fieldScore({ tokens: [], minimum: 0 }, field!, statistics)).toBeNull()
  })
})

describe('documentScore', () => {
  const titles = fieldsOf(['disk', 'unrelated', ''])
  const bodies = fieldsOf(['disk gateway', 'words', 'gateway gateway'])
  const statistics = { title: fieldStatistics(titles), body: fieldStatistics(bodies) }
  const scoreOf = (document: number, titleBoost: number, ...keywords: string[]): number | null => {
    const clauses = keywords.map((keyword) => strictClause(tokenize(keyword)))
    const fields = { title: titles[document]!, body: bodies[document]! }
    return documentScore({ mode: 'any', clauses }, fields, { statistics, titleBoost })
  }

  it('takes the better field, not both, and sums over the keywords', () => {
    const inTitle = scoreOf(0, 1e6, 'disk')! / 1e6
    const inBody = scoreOf(0, 0, 'disk')!
    for (const boost of [0.2, 1, 3]) {
      expect(scoreOf(0, boost, 'disk')).toBeCloseTo(Math.max(boost * inTitle, inBody), 9)
      const gateway = scoreOf(0, boost, 'gateway')!
      expect(scoreOf(0, boost, 'disk', 'gateway', 'nowhere')).toBeCloseTo(scoreOf(0, boost, 'disk')! + gateway, 9)
    }
  })

  it('counts a title as a match though its boost is 0', () => {
    const clauses = [strictClause(['unrelated'])]
    const fields = { title: titles[1]!, body: bodies[1]! }
    expect(documentScore({ mode: 'all', clauses }, fields, { statistics, titleBoost: 0 })).toBe(0)
  })

  it('wants all clauses or any, and treats none of them as everything or nothing', () => {
    const fields = { title: titles[0]!, body: bodies[0]! }
    const rule = { statistics, titleBoost: 3 }
    const clauses = [strictClause(['disk']), strictClause(['nowhere'])]
    expect(documentScore({ mode: 'all', clauses }, fields, rule)).toBeNull()
    expect(documentScore({ mode: 'any', clauses }, fields, rule)).toBeGreaterThan(0)
    expect(documentScore({ mode: 'all', clauses: [] }, fields, rule)).toBe(0)
    expect(documentScore({ mode: 'any', clauses: [] }, fields, rule)).toBeNull()
  })
})

describe('the loose minimum', () => {
  it('rounds up, and is one at least', () => {
    const wanted = [1, 2, 3, 4, 5, 6, 10].map((tokens) => minimumTokens(tokens, 0.6))
    expect(wanted).toEqual([1, 2, 2, 3, 3, 4, 6])
    expect([minimumTokens(4, 0.01), minimumTokens(4, 1)]).toEqual([1, 4])
  })

  it('asks for no token more where a share is a rounding error above a whole number', () => {
    expect(100 * 0.55).toBeGreaterThan(55)
    expect(minimumTokens(100, 0.55)).toBe(55)
  })

  it('lets no single shared Chinese character through', () => {
    expect(looseClause(tokenize('磁盘'), 0.6)).toEqual({ tokens: ['磁', '盘', '磁盘'], minimum: 2 })
    expect(looseClause(tokenize('盘'), 0.6).minimum).toBe(1)
  })
})

describe('rescore', () => {
  const parts = fc.record({
    bm25: fc.double({ min: 0, max: 30, noNaN: true }),
    vectorPart: fc.double({ min: 0, max: 2, noNaN: true })
  })
  const recalls = fc
    .array(parts, { maxLength: 12 })
    .map((list) => list.toSorted((left, right) => right.bm25 - left.bm25).map((item, id) => ({ ...item, id })))

  it('gives the window both parts, the rest the weighed BM25, and ranks by the sum', () => {
    fc.assert(
      fc.property(
        recalls,
        fc.integer({ min: 1, max: 14 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, window, weight) => {
          const ranked = rescore(list, { window, weight })
          expect(ranked.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(list.map(({ id }) => id))
          for (const { id, score, bm25, vectorPart } of ranked) {
            const inside = id < window
            expect(vectorPart).toBe(inside ? list[id]!.vectorPart : 0)
            expect(score).toBe((1 - weight) * bm25 + weight * vectorPart)
          }
          for (let rank = 1; rank < ranked.length; rank++)
            expect(ranked[rank]!.score).toBeLessThanOrEqual(ranked[rank - 1]!.score)
        }
      )
    )
  })

  it('never lets a document behind the window pass one inside it', () => {
    fc.assert(
      fc.property(recalls, fc.integer({ min: 1, max: 14 }), fc.constantFrom(0, 0.3, 0.5, 1), (list, window, weight) => {
        const ranked = rescore(list, { window, weight })
        const behind = list.length - list.slice(window).length
        expect(ranked.slice(behind).map(({ id }) => id)).toEqual(list.slice(window).map(({ id }) => id))
      })
    )
  })

  it('keeps the order given for equal scores', () => {
    const same = [1, 2, 3].map((id) => ({ id, bm25: 1, score: 1 }))
    expect(rankStructured(same).map(({ id }) => id)).toEqual([1, 2, 3])
  })
})

describe('the vector part', () => {
  it('is cos + 1 whatever the norms, and 0 without a vector', () => {
    const query = Float32Array.of(2, 0)
    expect(vectorPartOf(query, Float32Array.of(5, 0))).toBe(2)
    expect(vectorPartOf(query, Float32Array.of(0, 1))).toBe(1)
    expect(vectorPartOf(query, Float32Array.of(-3, 0))).toBe(0)
    expect(vectorPartOf(query, undefined)).toBe(0)
  })

  it('never leaves -1..1 by rounding', () => {
    const value = fc.float({ noNaN: true, noDefaultInfinity: true }).filter((number) => number !== 0)
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (values) => {
        const vector = Float32Array.from(values)
        expect(cosineOf(vector, vector)).toBeCloseTo(1, 9)
        expect(
          cosineOf(
            vector,
            vector.map((number) => -number)
          )
        ).toBeGreaterThanOrEqual(-1)
        expect(cosineOf(vector, vector)).toBeLessThanOrEqual(1)
      })
    )
  })

  it('refuses what no cosine is of', () => {
    expect(isComparable(Float32Array.of(0, 1), 2)).toBe(true)
    const refused = [
      Float32Array.of(0, 0),
      Float32Array.of(1),
      Float32Array.of(1, Number.NaN),
      Float32Array.of(1, Infinity)
    ]
    expect(refused.map((vector) => isComparable(vector, 2))).toEqual([false, false, false, false])
  })
})
