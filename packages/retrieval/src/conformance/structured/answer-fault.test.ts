import { describe, expect, it } from 'vitest'
import type { StructuredHit } from '../../ports/index.ts'
import { compareCodePoints } from '../../structured/index.ts'
import type { StructuredAnswer } from '../../structured/index.ts'
import { answerFault, entryOf } from './index.ts'
import { home } from './structured-data.ts'

const exact = { exactNearest: true, statistics: 'scope', atomicReplacement: true } as const

function hitOf(documentId: string, score: number): StructuredHit {
  return { document: entryOf(home, documentId), score, bm25: score, vectorPart: 0 }
}

function answerOf(hits: readonly StructuredHit[], rest: Partial<StructuredAnswer> = {}): StructuredAnswer {
  return { status: 'loose_hit', total: hits.length, hits, stages: [], ...rest }
}

const all = [hitOf('a', 3), hitOf('b', 2), hitOf('c', 2), hitOf('d', 1)]

function faultOf(
  actual: StructuredAnswer,
  abilities: Parameters<typeof answerFault>[1]['abilities'] = exact
): string | null {
  return answerFault(
    { actual, expected: answerOf(all, { status: actual.status }), all },
    { abilities, tolerance: 1e-6 }
  )
}

describe('answerFault', () => {
  it('finds none in the same answer, and none in rounding that swaps equal scores', () => {
    expect(faultOf(answerOf(all))).toBeNull()
    const swapped = [all[0]!, hitOf('c', 2.0000001), hitOf('b', 2), all[3]!]
    expect(faultOf(answerOf(swapped))).toBeNull()
  })

  it('finds another order, score, document, total, status or facet', () => {
    const [a, b, c, d] = all as [StructuredHit, StructuredHit, StructuredHit, StructuredHit]
    expect(faultOf(answerOf([b, a, c, d]))).toBe('rank 1: tenant/kb/a should stand here')
    expect(faultOf(answerOf([a, c, b, d]))).toMatch(/out of corpus order/)
    expect(faultOf(answerOf([hitOf('a', 3.1), b, c, d]))).toMatch(/score of tenant\/kb\/a is 3.1/)
    expect(faultOf(answerOf([a, b, c, hitOf('x', 1)]))).toBe('tenant/kb/x does not match')
    expect(faultOf(answerOf([a, b, c, c]))).toBe('one document twice')
    expect(faultOf(answerOf([a, b, c], { total: 4 }))).toBe('3 hits, not 4')
    expect(faultOf(answerOf(all, { total: 5 }))).toBe('total is 5 instead of 4')
    expect(faultOf(answerOf(all, { banner: 'other' }))).toMatch(/^banner/)
  })

  it('lets an engine with statistics of its own order as it likes, among the documents that match', () => {
    const engine = { ...exact, statistics: 'engine' } as const
    expect(faultOf(answerOf([...all].toReversed()), engine)).toBeNull()
    expect(faultOf(answerOf([...all.slice(0, 3), hitOf('x', 1)]), engine)).toBe('tenant/kb/x does not match')
  })

  it('lets an approximate engine find other documents by meaning, and by keywords none', () => {
    const approximate = { ...exact, exactNearest: false } as const
    const others = answerOf([...all.slice(0, 3), hitOf('x', 1)], { status: 'vector_only' })
    expect(faultOf(others, approximate)).toBeNull()
    expect(faultOf(others)).toBe('tenant/kb/x does not match')
  })
})

describe('compareCodePoints', () => {
  it('sorts as the bytes of UTF-8 do', () => {
    const texts = ['b', 'a', 'ab', '', '𠮷', '\uffff', '网关', '网', 'Z', '𠮷a', '\ue000']
    const byBytes = texts.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    expect(texts.toSorted(compareCodePoints)).toEqual(byBytes)
  })
})
