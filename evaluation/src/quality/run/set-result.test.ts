import { describe, expect, it } from 'vitest'
import type { EvaluationSet } from '../sets/evaluation-set.ts'
import { measureSet, type SetMeasurement } from './measure-set.ts'
import type { StageRankings } from './rank-query.ts'
import { summariseSet } from './set-result.ts'

const set: EvaluationSet = {
  name: 'tiny',
  half: 'dev',
  documents: [...'abc'].map((id) => ({ id, title: '', text: id })),
  queries: [
    { id: 'q1', text: 'first' },
    { id: 'q2', text: 'second' }
  ],
  judgements: new Map([
    ['q1', new Map([['a', 1]])],
    ['q2', new Map([['b', 2]])]
  ]),
  leftOut: { queriesWithoutJudgement: 0, judgedQueriesNotAsked: 0 }
}

const ranked = (...ids: string[]) => ids.map((documentId, index) => ({ documentId, score: 0.9 - index * 0.4 }))
const rankings: Record<string, StageRankings> = {
  first: { lexical: ranked('c', 'a'), vector: ranked('a'), fused: ranked('a', 'c'), reranked: ranked('a', 'c') },
  second: { lexical: [], vector: ranked('c', 'b'), fused: ranked('c', 'b'), reranked: ranked('b', 'c') }
}
const rank = async (query: string): Promise<StageRankings> => rankings[query]!
const watch = { signal: new AbortController().signal, onQuery: () => undefined }
const all = ['lexical', 'vector', 'fused', 'reranked'] as const

async function failing(): Promise<StageRankings> {
  throw new Error('index closed')
}

const run = { chunking: 'whole', chunks: 3, refused: 0 } as const

function measure(stages: readonly (typeof all)[number][]): Promise<SetMeasurement> {
  return measureSet(set, stages, rank, watch)
}

describe('measuring a set', () => {
  it('measures every query of every wanted stage and tells how far it is', async () => {
    const seen: number[] = []
    const measured = await measureSet(set, ['vector'], rank, { ...watch, onQuery: (done) => seen.push(done) })
    expect(Object.keys(measured.perQuery)).toEqual(['vector'])
    expect(measured.perQuery.vector!.map((values) => values['mrr@10'])).toEqual([1, 0.5])
    expect(measured.forecasts).toEqual([])
    expect(seen).toEqual([1, 2])
  })

  it('takes a probability for each reranked candidate', async () => {
    const { forecasts } = await measureSet(set, all, rank, watch)
    expect(forecasts).toEqual([
      { probability: 0.9, relevant: true },
      { probability: 0.5, relevant: false },
      { probability: 0.9, relevant: true },
      { probability: 0.5, relevant: false }
    ])
  })

  it('lets the failure of a query end the evaluation', async () => {
    await expect(measureSet(set, all, failing, watch)).rejects.toThrow('index closed')
  })
})

describe('the result of a set', () => {
  it('has the names that scripts read', async () => {
    const result = summariseSet(set, run, await measure(all))
    expect(result).toMatchObject({ set: 'tiny', half: 'dev', chunking: 'whole', queries: 2 })
    expect(Object.keys(result.stages)).toEqual([...all])
    expect(result.stages.reranked).toEqual({ 'ndcg@5': 1, 'ndcg@10': 1, 'mrr@10': 1, 'recall@20': 1 })
    expect(result.stages.lexical).toMatchObject({ 'mrr@10': 0.25, 'recall@20': 0.5 })
    expect(result.intervals.reranked?.['ndcg@10']).toEqual([1, 1])
  })

  it('compares reranked with the better branch, query by query', async () => {
    const { comparisons } = summariseSet(set, run, await measure(all))
    expect(comparisons?.betterBranch).toMatchObject({ branch: 'vector', verdict: 'undecided' })
    expect(comparisons?.fused.mean).toBeCloseTo((1 - 1 / Math.log2(3)) / 2, 9)
  })

  it('says nothing of what was not measured', async () => {
    const result = summariseSet(set, run, await measure(['lexical']))
    expect(Object.keys(result.stages)).toEqual(['lexical'])
    expect(result).not.toHaveProperty('comparisons')
    expect(result).not.toHaveProperty('brier')
  })
})
