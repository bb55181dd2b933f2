import { searchRequestSchema } from '@oncall-agent/api-contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery, stringifyQuery } from 'vue-router'
import { emptyWish, pageSizes, requestOf, searchModes, type SearchWish, settingNames } from './search-wish.ts'
import { addressOf, keyOf, otherIn, wishIn } from './wish-address.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((each) => each.isWellFormed())
const settings = fc.record(Object.fromEntries(settingNames.map((name) => [name, fc.constantFrom(0, 0.25, 1, 50)])), {
  requiredKeys: []
})
const wishes: fc.Arbitrary<SearchWish> = fc.record({
  project: fc.oneof(fc.constant(''), text),
  equipment: fc.oneof(fc.constant(''), text),
  codes: fc.array(text, { maxLength: 3 }),
  type: fc.constantFrom('', 'alarm'),
  keywords: fc.array(text, { maxLength: 3 }),
  sentence: fc.oneof(fc.constant(''), text),
  mode: fc.constantFrom(...searchModes),
  size: fc.constantFrom(...pageSizes),
  from: fc.nat(200),
  baseIds: fc.subarray(['kb-1', 'kb-2']),
  settings
})

describe('the address of a search', () => {
  test('is the search again, and the one beside it', () => {
    fc.assert(
      fc.property(wishes, wishes, (wish, other) => {
        const query = parseQuery(stringifyQuery(addressOf(wish, other)))
        expect([wishIn(query), otherIn(query)]).toEqual([wish, other])
      })
    )
  })

  test('a search for anything is one too, and no search is none', () => {
    expect(wishIn(parseQuery(keyOf(emptyWish)))).toEqual(emptyWish)
    expect([wishIn({}), wishIn({ unknown: 'x' }), otherIn({})]).toEqual([null, null, null])
  })

  test('may be written by hand, and what is mistyped is as if it were absent', () => {
    const wish = wishIn({ keywords: 'a', mode: 'magic', size: 'many', vector_weight: 'x', title_boost: '2.5' })
    expect(wish).toEqual({ ...emptyWish, keywords: ['a'], settings: { title_boost: 2.5 } })
  })
})

test('a request has what is asked for, as the contract takes it, and nothing else', () => {
  expect(requestOf(emptyWish)).toEqual({ mode: 'auto', size: 10 })
  const wish = { ...emptyWish, keywords: ['a'], codes: ['E1'], from: 20, settings: { vector_weight: 0 } }
  const asked = { keywords: ['a'], error_codes: ['E1'], mode: 'auto', size: 10, from_: 20 }
  expect(requestOf(wish)).toEqual({ ...asked, settings: { vector_weight: 0 } })
  fc.assert(fc.property(wishes, (each) => searchRequestSchema.safeParse(requestOf(each)).success))
})
