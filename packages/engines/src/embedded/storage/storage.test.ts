import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PortError } from '@oncall-agent/retrieval'
import { parseChunkId } from './chunk-id.ts'
import { bucketPageRange, bucketRange, chunkKey, pageKey, pageOfKey, postingKey, slotKey, slotOfKey } from './keys.ts'
import { MAX_DOCUMENT_ROWS, MAX_SPACES, MAX_PAGES, MAX_SEQUENCES, PAGE_SLOTS } from './keys.ts'
import { decodeSlots, encodeSlots } from './page-slots.ts'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'

const knowledgeBases = fc.oneof(fc.constantFrom(0, MAX_SPACES - 1), fc.nat(MAX_SPACES - 1))
const pages = fc.oneof(fc.constantFrom(0, MAX_PAGES - 1), fc.nat(MAX_PAGES - 1))
const places = fc.record({
  kb: knowledgeBases,
  granularity: fc.constantFrom('coarse' as const, 'fine' as const),
  bucket: fc.nat(31)
})
const SIGNED_64_BITS = 2n ** 63n
const attempt = { operation: 'try', subject: 'index.db' }

function sqliteError(errcode: number): Error {
  return Object.assign(new Error('from SQLite'), { errcode })
}

describe('packed keys', () => {
  it('fit what SQLite and numbers hold, at their largest too', () => {
    fc.assert(
      fc.property(places, pages, fc.nat(PAGE_SLOTS - 1), (place, page, slot) => {
        expect(postingKey(place, page * PAGE_SLOTS + slot)).toBeLessThan(SIGNED_64_BITS)
        expect(slotKey(place.kb, page * PAGE_SLOTS + slot)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
      })
    )
    expect(chunkKey(MAX_DOCUMENT_ROWS - 1, MAX_SEQUENCES - 1)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  })

  it('give their parts back', () => {
    fc.assert(
      fc.property(knowledgeBases, pages, fc.nat(PAGE_SLOTS - 1), (kb, page, slot) => {
        expect(pageOfKey(pageKey(kb, page))).toBe(page)
        expect(slotOfKey(slotKey(kb, page * PAGE_SLOTS + slot))).toBe(page * PAGE_SLOTS + slot)
      })
    )
  })

  it('stand in the ranges of their own bucket and page, and in no others', () => {
    fc.assert(
      fc.property(places, places, pages, pages, (one, other, page, otherPage) => {
        const key = postingKey(one, page * PAGE_SLOTS + 17)
        const isIn = ({ from, to }: { from: bigint; to: bigint }) => key >= from && key <= to
        const same = JSON.stringify(one) === JSON.stringify(other)
        expect(isIn(bucketRange(other))).toBe(same)
        expect(isIn(bucketPageRange(other, otherPage))).toBe(same && page === otherPage)
        expect(isIn(bucketPageRange(one, page))).toBe(true)
      })
    )
  })
})

describe('a chunk id', () => {
  it('names a document and a sequence only in the one way in which it is written', () => {
    expect(parseChunkId('a#b#0012')).toEqual({ documentId: 'a#b', sequence: 12 })
    expect(parseChunkId('d#12345')).toEqual({ documentId: 'd', sequence: 12_345 })
    for (const id of ['d', 'd#', 'd#1', 'd#00001', 'd#-001', 'd#0x10', 'd#１２３４'])
      expect(parseChunkId(id)).toBe(undefined)
  })
})

describe('slots', () => {
  it('are read back as they were written', () => {
    const columns = [1, 2, 3].map((seed) => Uint32Array.from({ length: 5 }, (_, index) => seed * 1000 + index))
    const [lengths, documents, sequences] = columns as [Uint32Array, Uint32Array, Uint32Array]
    const slots = { page: 3, generation: 9, used: 5, dead: 0, lengths, documents, sequences }
    expect(decodeSlots(encodeSlots(slots), 5)).toEqual({ lengths, documents, sequences })
  })
})

describe('what SQLite throws', () => {
  it('becomes a typed error with a hint', () => {
    const failures = [5, 261, 6, 13, 4874, 11, 26, 522].map((code) => sqliteFailure(sqliteError(code), attempt))
    expect(failures.map((error) => error.failure)).toEqual([
      'locked',
      'locked',
      'locked',
      'disk-full',
      'disk-full',
      'corrupt',
      'corrupt',
      'corrupt'
    ])
    for (const error of failures) expect(error.hint).not.toBe('')
    expect(isBusy(sqliteError(5))).toBe(true)
  })

  it('is unavailable when it is something else, and passes through when it is typed already', () => {
    expect(sqliteFailure(sqliteError(14), attempt).failure).toBe('unavailable')
    expect(sqliteFailure('thrown', attempt)).toMatchObject({ failure: 'unavailable', subject: 'index.db' })
    const typed = new PortError('closed', { ...attempt, reason: 'closed' })
    expect(sqliteFailure(typed, attempt)).toBe(typed)
  })
})
