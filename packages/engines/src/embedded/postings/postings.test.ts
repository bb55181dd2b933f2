import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectTerms, encodeRow, findTerm, pageOfRow } from './posting-row.ts'
import { appendPostings, countWords, frequencyAt, inSlotOrder, visitPostings, writePostings } from './posting-words.ts'
import type { TermPostings } from './posting-words.ts'
import { metadataTerm, termOf } from './term.ts'

/** Ascending positions below 2,000 with frequencies, some of which need the overflow list. */
const flats = fc
  .uniqueArray(
    fc.tuple(fc.nat(1999), fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 200_000 }))),
    {
      selector: ([position]) => position,
      minLength: 1
    }
  )
  .map((pairs) => pairs.toSorted((left, right) => left[0] - right[0]).flat())

function listed(postings: TermPostings): number[] {
  const flat: number[] = []
  visitPostings(postings, (slot, frequency) => flat.push(slot, frequency))
  return flat
}

function encoded(flat: readonly number[], shift: number): TermPostings {
  const words = new Uint16Array(countWords(flat))
  expect(writePostings(flat, shift, words, 0)).toBe(words.length)
  return { count: flat.length / 2, words }
}

describe('posting words', () => {
  it('give back every slot and frequency, also above what four bits hold', () => {
    fc.assert(
      fc.property(flats, fc.nat(2000), (flat, shift) => {
        const postings = encoded(flat, shift)
        const shifted = flat.map((value, index) => (index % 2 === 0 ? value + shift : value))
        expect(listed(postings)).toEqual(shifted)
        const appended = [1, 2]
        appendPostings(appended, postings.words, 0, postings.count)
        expect(appended).toEqual([1, 2, ...shifted])
        for (let slot = 0; slot < 4096; slot += 13) {
          const place = shifted.findIndex((value, index) => index % 2 === 0 && value === slot)
          expect(frequencyAt(postings, slot)).toBe(place < 0 ? 0 : shifted[place + 1])
        }
      })
    )
  })

  it('can be brought into slot order', () => {
    fc.assert(
      fc.property(flats, (flat) => {
        const pairs = Array.from({ length: flat.length / 2 }, (_, index) => flat.slice(2 * index, 2 * index + 2))
        expect(inSlotOrder(pairs.toReversed().flat())).toEqual(flat)
        expect(inSlotOrder(flat)).toBe(flat)
      })
    )
  })
})

describe('a posting row', () => {
  it('finds each of its terms, and no other', () => {
    const texts = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), { minLength: 1 })
    fc.assert(
      fc.property(texts, flats, fc.nat(2_000_000), (names, flat, page) => {
        const terms = names.map((name) => ({ ...termOf(name), flat }))
        const row = encodeRow(page, terms, 0)
        expect(pageOfRow(row)).toBe(page)
        for (const term of terms) expect(listed(findTerm(row, term)!)).toEqual(flat)
        expect(findTerm(row, termOf('\u0003 not among them'))).toBe(undefined)
        const collected = new Map<string, { hash: number; flat: number[] }>()
        collectTerms(row, collected)
        expect(collected).toEqual(new Map(terms.map(({ key, hash }) => [key, { hash, flat }])))
      })
    )
  })

  it('tells terms with equal hashes apart by their keys', () => {
    const terms = ['b', 'a', 'ab'].map((key, index) => ({ key, hash: 7, flat: [index, 1 + index] }))
    const row = encodeRow(0, terms, 0)
    for (const term of terms) expect(listed(findTerm(row, term)!)).toEqual(term.flat)
    expect(findTerm(row, { key: 'c', hash: 7 })).toBe(undefined)
  })
})

describe('a term', () => {
  it('of any length has a key of at most 255 bytes, different for different texts', () => {
    const [long, longer] = ['a'.repeat(100_000), 'a'.repeat(100_001)].map((text) => termOf(text))
    expect(long!.key.length).toBeLessThanOrEqual(255)
    expect(long!.key).not.toBe(longer!.key)
    expect(termOf('网'.repeat(85)).key.length).toBe(255)
  })

  it('of metadata tells types apart, and is no token', () => {
    const terms = [1, '1', true, 'true', false, 0, ''].map((value) => metadataTerm('level', value))
    expect(new Set(terms).size).toBe(terms.length)
    expect(terms.every((term) => term.startsWith('\u0001'))).toBe(true)
  })
})
