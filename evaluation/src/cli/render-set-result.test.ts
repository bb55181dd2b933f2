import { describe, expect, it } from 'vitest'
import type { SetResult } from '../quality/run/set-result.ts'
import { renderSetResult } from './render-set-result.ts'

const figures = { 'ndcg@5': 0.5, 'ndcg@10': 0.6, 'mrr@10': 0.7, 'recall@20': 0.8 }
const bounds = { 'ndcg@5': [0.4, 0.6], 'ndcg@10': [0.5, 0.7], 'mrr@10': [0.6, 0.8], 'recall@20': [0.7, 0.9] } as const

const result: SetResult = {
  set: 'a-set',
  half: 'dev',
  chunking: 'product',
  queries: 3,
  documents: 5,
  chunks: 9,
  refused: 0,
  stages: { lexical: figures, reranked: figures },
  intervals: { lexical: bounds, reranked: bounds },
  comparisons: {
    fused: { mean: 0.05, low: 0.01, high: 0.09, verdict: 'better' },
    betterBranch: { branch: 'vector', mean: -0.01, low: -0.04, high: 0.02, verdict: 'undecided' }
  },
  brier: { forecasts: 60, brier: 0.0123, baseRate: 0.05, skill: 0.74 }
}

describe('a set’s figures for a person', () => {
  const lines = renderSetResult(result).split('\n')

  it('begin with what was measured', () => {
    expect(lines[0]).toBe('a-set, dev, product chunking: 3 queries, 5 documents, 9 chunks')
  })

  it('have a line for each measured stage, in the order of the pipeline, with bounds', () => {
    expect(lines[1]).toMatch(/^stage +ndcg@5 +ndcg@10 +mrr@10 +recall@20$/)
    expect(lines[2]).toMatch(/^lexical .*0\.600 \(0\.500\.\.0\.700\)/)
    expect(lines[3]).toMatch(/^reranked /)
  })

  it('say how reranking compares, with a sign', () => {
    expect(lines).toContain('reranked against RRF: ndcg@10 +0.050 (0.010..0.090), better')
    expect(lines).toContain('reranked against the better branch (vector): ndcg@10 -0.010 (-0.040..0.020), undecided')
    expect(lines).toContain('Brier of the score 0.0123 at a base rate of 0.050, skill 0.74')
  })

  it('say nothing of what was not measured', () => {
    const { comparisons: _, brier: __, ...bare } = result
    const text = renderSetResult({ ...bare, stages: { lexical: figures }, intervals: { lexical: bounds } })
    expect(text).not.toMatch(/reranked|Brier/)
  })
})
