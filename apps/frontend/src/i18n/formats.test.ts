import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { formatsOf, NOTHING } from './formats.ts'
import { localeOf } from './locales.ts'

const zh = formatsOf('zh')
const en = formatsOf('en')

describe('formats', () => {
  test('are made once a language, whoever asks', () => {
    expect([formatsOf('zh') === zh, formatsOf('en') === en, (zh as unknown) === en]).toEqual([true, true, false])
    const made = vi.spyOn(Intl, 'NumberFormat')
    const shown = [en.bytes(7_777_000), en.bytes(8_888_000), en.score(0.1234567, 7), en.score(0.7654321, 7)]
    expect(shown).toEqual(['7.8 MB', '8.9 MB', '0.1234567', '0.7654321'])
    expect(made.mock.calls.length).toBeLessThanOrEqual(2)
    made.mockRestore()
  })

  test('ranks have a sign, and a rank that does not exist is a dash, never 0', () => {
    expect([en.rank(1), en.rank(1_234), en.rank(null), zh.rank(null)]).toEqual(['#1', '#1,234', NOTHING, NOTHING])
  })

  test('scores keep their digits, so that columns line up', () => {
    expect([en.score(0.5, 3), en.score(0.93249, 3), en.score(null, 3), zh.score(17.3, 2)]).toEqual([
      '0.500',
      '0.932',
      NOTHING,
      '17.30'
    ])
  })

  test('a score just above 0 is not shown as 0', () => {
    expect([en.score(0.0004, 3), en.score(0.0005, 3), en.score(0, 3), en.score(-0.25, 3)]).toEqual([
      '<0.001',
      '0.001',
      '0.000',
      '-0.250'
    ])
  })

  test('sizes are told in the unit that fits', () => {
    expect([en.bytes(0), en.bytes(1), en.bytes(999), en.bytes(1_500), en.bytes(20_971_520)]).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.5 kB',
      '21 MB'
    ])
    expect(zh.bytes(5)).toBe('5字节')
  })

  test('a size of any magnitude has a number and a unit', () => {
    fc.assert(fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (bytes) => /^\d[\d,.]* \w+$/.test(en.bytes(bytes))))
  })

  test('lengths of time are told in milliseconds, seconds, minutes, hours, days', () => {
    expect([0.42, 21.4, 4_012, 75_000, 7_200_000, 276_480_000].map(en.duration)).toEqual([
      '0.4 ms',
      '21 ms',
      '4 sec',
      '1.3 min',
      '2 hr',
      '3.2 days'
    ])
    expect(zh.duration(75_000)).toBe('1.3分钟')
  })

  test('how long ago is told in the words of the language', () => {
    const now = 1_000_000_000
    expect([en.ago(now, now), en.ago(now - 120_000, now), en.ago(now - 86_400_000, now)]).toEqual([
      'now',
      '2 minutes ago',
      'yesterday'
    ])
    expect([zh.ago(now - 120_000, now), zh.ago(now - 7_200_000, now)]).toEqual(['2分钟前', '2小时前'])
  })
})

describe('the language to begin with', () => {
  test.each([
    [[null, 'zh-TW', 'en'], 'zh'],
    [['en', 'zh-CN'], 'en'],
    [[null, 'de-DE', 'zh'], 'zh'],
    [['klingon', 'fr'], 'en'],
    [[], 'en']
  ] as const)('of %j is %s', (wished, name) => {
    expect(localeOf(wished)).toBe(name)
  })
})
