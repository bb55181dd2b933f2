import { describe, expect, it } from 'vitest'
import { pageOfRows, pageStart } from './sequence-page.ts'

const rows = (...sequences: number[]) => sequences.map((sequence) => ({ sequence }))
const sequenceOf = ({ sequence }: { readonly sequence: number }) => sequence

describe('a page of a list', () => {
  it('starts above every row when no page went before', () => {
    expect(pageStart({ limit: 2 })).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('starts where the page before ended', () => {
    const { items, nextCursor, total } = pageOfRows(rows(12, 9, 4), { limit: 2 }, 7, sequenceOf)
    expect([items, total]).toEqual([[12, 9], 7])
    expect(nextCursor).toMatch(/^[\w-]+$/)
    expect(pageStart({ limit: 2, cursor: nextCursor ?? '' })).toBe(9)
  })

  it.each([
    ['as many rows as fit', rows(12, 9)],
    ['fewer rows', rows(12)],
    ['no rows', []]
  ])('with %s is the last', (_what, found) => {
    expect(pageOfRows(found, { limit: 2 }, 7, sequenceOf).nextCursor).toBeNull()
  })

  it.each(['', ' ', 'MTI=', 'MTI.', 'LTE', 'MS41', 'MTIzNDU2Nzg5MDEyMzQ1Ng', '12'])(
    'does not start at %j',
    (cursor) => {
      expect(() => pageStart({ limit: 2, cursor })).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    }
  )
})
