import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAddresses } from './connection/index.ts'
import { aliasOf, documentKey, isIndexFor, newIndexName, pairKey, unitVector, wordOf } from './indices/index.ts'
import { WriteClock } from './writing/index.ts'

function keyOf([tenantId, knowledgeBaseId, id]: [string, string, string]): string {
  const pair = { tenantId, knowledgeBaseId }
  return `${pairKey(pair)} ${documentKey(pair, id)}`
}

function norm(vector: readonly number[]): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
}

describe('names', () => {
  test('an alias is as the contract says, of characters that an index may have, and of one type alone', () => {
    expect(aliasOf('alarm')).toBe('kb_alarm_v1')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
        expect(aliasOf(left)).toMatch(/^kb_[a-z\d_=-]*_v1$/)
        expect(aliasOf(left) === aliasOf(right)).toBe(left === right)
      })
    )
  })

  test('an index belongs to its alias alone', () => {
    const index = newIndexName('kb_a_v1', new Date('2026-01-02T03:04:05.678Z'))
    expect(index).toMatch(/^kb_a_v1_20260102030405_[\da-f]{8}$/)
    expect(isIndexFor('kb_a_v1', index)).toBe(true)
    expect(isIndexFor('kb_a', index)).toBe(false)
    expect(isIndexFor('kb_a_v1', `kb_a_v1_x_v1_20260102030405_0123abcd`)).toBe(false)
  })
})

test('keys of different documents and pairs differ, whatever their ids are made of', () => {
  const ids = fc.constantFrom('a', 'b', '"', ',', '","', 'a","b', '\ud800', '')
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, ids, ids), { minLength: 2, maxLength: 2 }), ([left, right]) => {
      expect(keyOf(left!) === keyOf(right!)).toBe(left!.join('|') === right!.join('|'))
    })
  )
})

test('words are their tokens up to 255 characters, and of one length beyond', () => {
  expect(wordOf('x'.repeat(255))).toBe('x'.repeat(255))
  expect(wordOf('x'.repeat(256))).toMatch(/^#[\w-]{43}$/)
  expect(wordOf('x'.repeat(256))).not.toBe(wordOf('x'.repeat(257)))
})

test('a unit vector has norm 1 whatever the vector, and keeps float32 numbers', () => {
  for (const scale of [1e-44, 1e-20, 1, 1e20, 3e38]) {
    expect(norm(unitVector(Float32Array.of(scale, -scale, scale / 2)))).toBeCloseTo(1, 6)
  }
  const exact = Float32Array.from([0.1, 0.2, 0.3].map((value) => value / Math.sqrt(0.14)))
  expect(Float32Array.from(unitVector(exact))).toEqual(exact)
})

describe('the clock of writes', () => {
  test('never gives a version twice, though the clock stands still or goes back', () => {
    let now = 1_000
    const clock = new WriteClock(() => now)
    const versions = Array.from({ length: 5 }, () => clock.next())
    now = 900
    versions.push(clock.next())
    now = 2_000
    versions.push(clock.next())
    expect(versions).toEqual([1_000_000, 1_000_001, 1_000_002, 1_000_003, 1_000_004, 1_000_005, 2_000_000])
  })

  test('passes the version of another writer, and by far one that it is not told', () => {
    const clock = new WriteClock(() => 1)
    clock.pass(5_000)
    expect(clock.next()).toBe(5_001)
    clock.pass(undefined)
    expect(clock.next()).toBeGreaterThan(60_000_000)
  })
})

test('addresses are several, each once, without a last slash', () => {
  const addresses = readAddresses(' http://a:9200/, https://b/search/ ,http://a:9200')
  expect(addresses).toEqual(['http://a:9200', 'https://b/search'])
})
