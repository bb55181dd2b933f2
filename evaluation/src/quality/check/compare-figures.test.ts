import { describe, expect, it } from 'vitest'
import { lexicalFloor } from '../report/targets.ts'
import type { SetResult } from '../run/set-result.ts'
import { exactSets, flooredRuns } from './checked-sets.ts'
import { compareExactly, holdToFloor } from './compare-figures.ts'

const result = (set: string, figures: Readonly<Record<string, number>>): SetResult =>
  ({
    set,
    chunking: 'whole',
    stages: { lexical: figures, reranked: figures }
  }) as unknown as SetResult

describe('holding a run to its floors', () => {
  const floors = { reranked: { 'ndcg@10': 0.8 } } as const

  it('lets a figure lie below by no more than noise', () => {
    expect(holdToFloor(result('s', { 'ndcg@10': 0.791 }), floors)).toMatchObject([{ ok: true }])
    expect(holdToFloor(result('s', { 'ndcg@10': 0.789 }), floors)).toMatchObject([{ ok: false }])
  })

  it('fails when the figure was not measured at all', () => {
    const measured = { set: 's', chunking: 'whole', stages: {} } as unknown as SetResult
    expect(holdToFloor(measured, floors)).toMatchObject([{ ok: false, text: expect.stringContaining('NaN') }])
  })

  it('has floors of the reranked order for every run', () => {
    expect(flooredRuns.length).toBeGreaterThan(3)
    for (const run of flooredRuns) expect(run.floors.reranked?.['ndcg@10']).toBeGreaterThan(0.7)
  })
})

describe('comparing with the oracle', () => {
  const figures = lexicalFloor('xquad-mixed')!

  it('takes figures that round to the same three digits', () => {
    const nearly = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value! + 0.0004]))
    const lines = compareExactly(result('xquad-mixed', nearly))
    expect(lines).toHaveLength(Object.keys(figures).length)
    expect(lines.filter((line) => !line.ok)).toEqual([])
  })

  it('fails on a difference in the third digit, up or down', () => {
    for (const difference of [0.0015, -0.0015]) {
      const off = { ...figures, 'ndcg@10': figures['ndcg@10']! + difference }
      const lines = compareExactly(result('xquad-mixed', off as Record<string, number>))
      expect(lines.filter((line) => !line.ok)).toMatchObject([{ text: expect.stringContaining('ndcg@10') }])
    }
  })

  it('has oracle figures for every set that is compared, and fails on one without', () => {
    expect(exactSets.length).toBeGreaterThan(5)
    for (const set of exactSets) expect(lexicalFloor(set), set).toBeDefined()
    expect(compareExactly(result('unknown', {}))).toMatchObject([{ ok: false }])
  })
})
