import { describe, expect, it } from 'vitest'
import { handwrittenMark } from '../../markdown/handwritten.ts'
import type { SetResult } from '../run/set-result.ts'
import { checkGoals, meanOver, setsBelowGoal } from './check-goals.ts'
import { qualityMarkdown } from './quality-markdown.ts'
import { identifierSets, lexicalFloor, meaningSets, stageGoal, targetSets } from './targets.ts'

const comparison = (verdict: 'better' | 'worse' | 'undecided') => ({ mean: 0.01, low: -0.02, high: 0.04, verdict })

const figures = (value: number) => ({ 'ndcg@5': value, 'ndcg@10': value, 'mrr@10': value, 'recall@20': 0.96 })

function result(set: string, reranked: number, verdict: 'better' | 'worse' | 'undecided' = 'undecided'): SetResult {
  const stages = { lexical: figures(0.5), vector: figures(0.6), fused: figures(0.7), reranked: figures(reranked) }
  const bounds = { 'ndcg@5': [0, 1], 'ndcg@10': [0.4, 0.9], 'mrr@10': [0, 1], 'recall@20': [0, 1] } as const
  return {
    set,
    half: 'dev',
    chunking: 'whole',
    queries: 10,
    documents: 20,
    chunks: 21,
    refused: 0,
    stages,
    intervals: { reranked: bounds },
    comparisons: { fused: comparison(verdict), betterBranch: { branch: 'vector', ...comparison(verdict) } },
    brier: { forecasts: 200, brier: 0.02, baseRate: 0.05, skill: 0.58 }
  }
}

const goodOnAll = targetSets.map((set) => result(set, 0.99))

describe('the targets', () => {
  it('have thirteen sets of meaning, all identifier sets, and figures for each', () => {
    expect(targetSets).toHaveLength(17)
    expect(meaningSets).toContain('ops-ob-parallel-zh2en')
    for (const set of identifierSets) expect(targetSets).toContain(set)
    for (const set of targetSets) expect(stageGoal(set, 'reranked')?.['ndcg@10']).toBeGreaterThan(0.5)
    expect(lexicalFloor('ops-alert-runbook-desc')?.['ndcg@10']).toBe(0.904)
    expect(stageGoal('unknown', 'fused')).toBeUndefined()
  })
})

describe('checking goals', () => {
  it('finds all met when every set is near perfect', () => {
    const checks = checkGoals(goodOnAll)
    expect(checks.length).toBeGreaterThanOrEqual(11)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(setsBelowGoal(goodOnAll)).toEqual([])
  })

  it('names a set that is significantly worse, and one below its own goal', () => {
    const results = goodOnAll.map((each) => (each.set === 'xquad-zh' ? result('xquad-zh', 0.9, 'worse') : each))
    const worse = checkGoals(results).find((check) => check.goal.startsWith('no set'))
    expect(worse).toMatchObject({ ok: false, found: 'xquad-zh' })
    expect(setsBelowGoal(results)).toEqual([{ set: 'xquad-zh', missing: expect.closeTo(0.081, 9) }])
  })

  it('misses the means when sets are poor', () => {
    const missed = checkGoals(targetSets.map((set) => result(set, 0.5))).filter((check) => !check.ok)
    expect(missed.map((check) => check.goal).join()).toContain('mean of 13 sets, reranked ndcg@10')
    expect(missed.map((check) => check.goal).join()).toContain('xquad-mixed')
  })

  it('holds the calibration to the skill, whatever the base rate', () => {
    const poor = goodOnAll.map((each) => ({ ...each, brier: { ...each.brier!, brier: 0.04 } }))
    const check = checkGoals(poor).find((each) => each.goal.startsWith('Brier'))
    expect(check).toMatchObject({ ok: false, found: expect.stringContaining('0.0400') })
  })

  it('leaves a mean out when one of its sets was not measured', () => {
    expect(meanOver(goodOnAll.slice(1), meaningSets, 'reranked', 'ndcg@10')).toBeUndefined()
    expect(checkGoals([result('some-other-set', 0.1)]).map((check) => check.goal)).not.toContain(/mean/)
  })
})

describe('the quality report', () => {
  const report = { date: '2026-01-02', command: 'oncall eval --all-sets DIR', results: goodOnAll }

  it('has the command, the date, a row a set with floor and goal, and the means', () => {
    const text = qualityMarkdown(report)
    expect(text).toContain('Measured 2026-01-02 by `oncall eval --all-sets DIR`')
    expect(text).toContain('| ops-faq-zh | 10 | 0.691 | 0.500 | 0.600 | 0.700 | 0.990 | 0.762 |')
    expect(text).toMatch(/\*\*mean of 13\*\* .* 0\.990 \| 0\.828/)
    expect(text).toMatch(/\*\*mean of 17\*\* .* 0\.990 \| 0\.866/)
  })

  it('marks what is significantly better or worse', () => {
    expect(qualityMarkdown({ ...report, results: [result('a', 0.9, 'better')] })).toContain('0.900 +')
    expect(qualityMarkdown({ ...report, results: [result('a', 0.9, 'worse')] })).toContain('0.900 -')
  })

  it('keeps what was written by hand in the file before', () => {
    const before = `# old\n\n${handwrittenMark}\n\n## What to do\n\nRead it.\n`
    const text = qualityMarkdown(report, before)
    expect(text.endsWith(`${handwrittenMark}\n\n## What to do\n\nRead it.\n`)).toBe(true)
    expect(text).not.toContain('# old')
  })
})
