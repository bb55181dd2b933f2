import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryOf, MemoryStructuredIndex, pairOf, Random, unitVector } from '../../conformance/index.ts'
import { ndcg } from '../../metrics/index.ts'
import { tokenize } from '../../tokens/index.ts'
import { DEFAULT_KNOWLEDGE_TYPES } from '../request/index.ts'
import { looseClause } from '../scoring/index.ts'
import { DEFAULT_TUNE_GRID, replaySearch, splitHalves, tune } from './index.ts'
import type { JudgedSearch, TuneCandidate, TunePoint } from './index.ts'

const current: TunePoint = { titleBoost: 3, vectorWeight: 0.5, rrfWindow: 50 }
const WIDEST = Math.max(...DEFAULT_TUNE_GRID.rrfWindows)

function judged(id: string, candidates: readonly TuneCandidate[], relevant: string): JudgedSearch {
  const recalls = new Map([1, 2, 3, 5, 8].map((boost) => [boost, candidates]))
  return { id, judgements: new Map([[relevant, 1]]), recalls }
}

/** The relevant document is second by words and first by meaning. */
function meaningWins(id: string): JudgedSearch {
  const candidates = [
    { documentId: 'words', bm25: 4, vectorPart: 0.5 },
    { documentId: 'meaning', bm25: 2, vectorPart: 2 }
  ]
  return judged(id, candidates, 'meaning')
}

function named(number: number, make: (id: string) => JudgedSearch): JudgedSearch[] {
  return Array.from({ length: number }, (_, index) => make(`question ${index}`))
}

describe('a replayed search', () => {
  it('ranks as the index does with the same settings, from one recall a title boost', async () => {
    const dimension = 8
    const home = pairOf('tenant', 'kb')
    const random = new Random(11)
    const index = new MemoryStructuredIndex({ dimension, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
    const words = ['disk', 'full', 'gateway', 'timeout', 'restart']
    for (let number = 0; number < 40; number++) {
      const title = random.some(words, 0.3).join(' ')
      const body = Array.from({ length: random.between(1, 9) }, () => random.pick(words)).join(' ')
      await index.replaceDocument(entryOf(home, `d${number}`, { title, body, vector: unitVector(dimension, random) }))
    }
    const vector = unitVector(dimension, random)
    const clauses = ['disk full', 'gateway'].map((keyword) => looseClause(tokenize(keyword), 0.6))
    const request = { pairs: [home], filters: {}, mode: 'any', clauses, from: 0, size: 100 } as const
    const recalls = new Map<number, readonly TuneCandidate[]>()
    for (const titleBoost of DEFAULT_TUNE_GRID.titleBoosts) {
      const { hits } = await index.match({ ...request, titleBoost, rescore: { vector, window: WIDEST, weight: 0 } })
      recalls.set(
        titleBoost,
        hits.map(({ document: { documentId }, bm25, vectorPart }) => ({ documentId, bm25, vectorPart }))
      )
    }
    for (const titleBoost of DEFAULT_TUNE_GRID.titleBoosts) {
      for (const [vectorWeight, rrfWindow] of [
        [0.35, 5],
        [0.5, 10],
        [0.95, 200]
      ] as const) {
        const rescore = { vector, window: rrfWindow, weight: vectorWeight }
        const { hits } = await index.match({ ...request, titleBoost, rescore })
        const replayed = replaySearch(
          { id: 'q', judgements: new Map(), recalls },
          { titleBoost, vectorWeight, rrfWindow }
        )
        expect(replayed).toEqual(hits.map((hit) => hit.document.documentId))
      }
    }
  })

  it('refuses a title boost that it was not recalled with', () => {
    const search = meaningWins('q')
    expect(() => replaySearch(search, { ...current, titleBoost: 4 })).toThrow(/not recalled with a title boost of 4/)
  })
})

describe('the halves', () => {
  it('are the same whatever else is judged, share nothing and lose nothing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.uniqueArray(fc.string()), (ids, more) => {
        const items = ids.map((id) => ({ id }))
        const { tuned, heldOut } = splitHalves(items)
        expect([...tuned, ...heldOut].map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
        const wider = splitHalves([...items, ...more.filter((id) => !ids.includes(id)).map((id) => ({ id }))])
        const kept = wider.tuned.filter(({ id }) => ids.includes(id))
        expect(kept.map(({ id }) => id)).toEqual(tuned.map(({ id }) => id))
      })
    )
  })

  it('are about equal, of numbered questions too', () => {
    const { tuned } = splitHalves(Array.from({ length: 2000 }, (_, index) => ({ id: `question ${index}` })))
    expect(tuned.length).toBeGreaterThan(900)
    expect(tuned.length).toBeLessThan(1100)
  })
})

describe('tune', () => {
  it('suggests what is better on the tuned half and measures it on the other', () => {
    const { searches, suggested, heldOut, rows, ...report } = tune(named(40, meaningWins), DEFAULT_TUNE_GRID, current)
    expect(report.current).toEqual(current)
    expect(searches.tuned + searches.heldOut).toBe(40)
    expect(searches.heldOut).toBeGreaterThan(5)
    expect(suggested.vectorWeight).toBeGreaterThan(0.5)
    expect(heldOut.before.ndcg10).toBeCloseTo(ndcg(['words', 'meaning'], new Map([['meaning', 1]]), 10), 12)
    expect(heldOut.before.mrr).toBe(0.5)
    expect(heldOut.after).toEqual({ ndcg10: 1, mrr: 1 })
    expect(rows.length).toBe(5 * 7 * 4)
    expect(rows[0]).toEqual({ point: suggested, ndcg10: 1, mrr: 1 })
  })

  it('keeps the current point where none is better, though others are as good', () => {
    const candidates = [{ documentId: 'a', bm25: 4, vectorPart: 2 }]
    const { suggested } = tune(
      named(20, (id) => judged(id, candidates, 'a')),
      DEFAULT_TUNE_GRID,
      current
    )
    expect(suggested).toEqual(current)
  })

  it('counts the current point in though the grid lacks it', () => {
    const odd = { titleBoost: 3, vectorWeight: 0.123, rrfWindow: 7 }
    const { rows } = tune(named(4, meaningWins), DEFAULT_TUNE_GRID, odd)
    expect(rows.filter(({ point }) => point.vectorWeight === 0.123).length).toBe(1)
    expect(rows.length).toBe(5 * 7 * 4 + 1)
  })

  it('shows what a fit by chance is worth: nothing on the held-out half', () => {
    const { tuned, heldOut } = splitHalves(named(40, meaningWins))
    const wordsWin = heldOut.map((search) => ({ ...search, judgements: new Map([['words', 1]]) }))
    const report = tune([...tuned, ...wordsWin], DEFAULT_TUNE_GRID, current)
    expect(report.heldOut.after.ndcg10).toBeLessThan(report.heldOut.before.ndcg10)
  })

  it('has nothing to suggest and nothing to divide by without judged searches', () => {
    const report = tune([], DEFAULT_TUNE_GRID, current)
    expect(report.suggested).toEqual(current)
    expect(report.heldOut).toEqual({ before: { ndcg10: 0, mrr: 0 }, after: { ndcg10: 0, mrr: 0 } })
  })
})
