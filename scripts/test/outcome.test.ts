import { describe, expect, test } from 'vitest'
import { addOutcomes, reasonInName, summarise } from './outcome.ts'

const good = { passed: 3, failures: [], skips: [] }
const skipped = { passed: 1, failures: [], skips: [{ name: 'a.test.ts > reads', reason: 'no sibling ../shared' }] }

describe('the summary of a test run', () => {
  test('stands alone on the last line', () => {
    expect(summarise(good, false)).toEqual({ lines: ['3 passed, 0 failed, 0 skipped'], ok: true })
  })

  test('prints the reason of every skip and still is good', () => {
    const { lines, ok } = summarise(addOutcomes([good, skipped]), false)
    expect(lines).toEqual(['SKIPPED  a.test.ts > reads: no sibling ../shared', '4 passed, 0 failed, 1 skipped'])
    expect(ok).toBe(true)
  })

  test('is bad with one skip when nothing may be skipped', () => {
    const { lines, ok } = summarise(skipped, true)
    expect(lines.at(-1)).toBe('1 passed, 0 failed, 1 skipped')
    expect(ok).toBe(false)
  })

  test('is bad with one failure and names it', () => {
    const { lines, ok } = summarise(addOutcomes([good, { passed: 0, failures: ['types agree'], skips: [] }]), false)
    expect(lines).toEqual(['FAILED   types agree', '3 passed, 1 failed, 0 skipped'])
    expect(ok).toBe(false)
  })

  test('is bad when nothing ran at all', () => {
    expect(summarise(addOutcomes([]), false).ok).toBe(false)
  })

  test('says so when a skip gives no reason', () => {
    const silent = { passed: 1, failures: [], skips: [{ name: 'a.test.ts > reads', reason: '' }] }
    expect(summarise(silent, false).lines[0]).toContain('gives no reason')
  })
})

describe('the reason of a skip', () => {
  test.each([
    ['reads GBK (needs ../shared/files)', 'needs ../shared/files'],
    ['suite (skipped: no Python) > reads', 'no Python'],
    ['equals the reference (skipped where there is no ../shared)', 'there is no ../shared'],
    ['reads (twice)', '']
  ])('is taken from the name "%s"', (name, reason) => {
    expect(reasonInName(name)).toBe(reason)
  })
})
