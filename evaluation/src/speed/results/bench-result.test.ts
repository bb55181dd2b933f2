import { describe, expect, it } from 'vitest'
import { atLeast, atMost, judge, skipped } from './bench-result.ts'

const measured = (value: number) => ({ name: 'x', value, unit: 'ratio', note: '' })

describe('a benchmark figure', () => {
  it('is held to its budget, the limit itself included', () => {
    expect(judge(measured(1.6), atMost(1.6))).toMatchObject({ ok: true, budget: '<= 1.6' })
    expect(judge(measured(1.61), atMost(1.6)).ok).toBe(false)
    expect(judge(measured(5), atLeast(5))).toMatchObject({ ok: true, budget: '>= 5' })
    expect(judge(measured(4.99), atLeast(5)).ok).toBe(false)
  })

  it('is judged before it is rounded', () => {
    expect(judge(measured(1.600_01), atMost(1.6))).toMatchObject({ ok: false, value: 1.6 })
  })

  it('fails its budget when it is no number', () => {
    expect(judge(measured(Number.NaN), atMost(1)).ok).toBe(false)
    expect(judge(measured(Number.POSITIVE_INFINITY), atLeast(1)).ok).toBe(false)
  })

  it('is neither good nor bad without a budget or when it was skipped', () => {
    expect(judge(measured(3))).toMatchObject({ ok: null, budget: null })
    expect(skipped({ name: 'x', unit: 'ratio' }, atMost(3), 'no Python')).toEqual({
      name: 'x',
      value: null,
      unit: 'ratio',
      budget: '<= 3',
      ok: null,
      note: 'skipped: no Python'
    })
  })
})
