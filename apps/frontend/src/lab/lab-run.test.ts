import { describe, expect, test } from 'vitest'
import { sampleRun } from '../../dev/sample-run.ts'
import { compareHits, compareStages } from './compare-runs.ts'
import { branchOf, excerptOf, runOfAnswer, runOfRecord } from './lab-run.ts'

const { answer, stored } = sampleRun('run-1', { query: 'E_CONN_RESET', topK: 5 })

describe('a run as the lab shows it', () => {
  test('an answer and its stored record show the same evidence in the same order', () => {
    const answered = runOfAnswer(answer, ['kb-own'], 7)
    const recorded = runOfRecord(stored)
    expect(recorded.hits.map((hit) => hit.chunkId)).toEqual(answered.hits.map((hit) => hit.chunkId))
    expect(recorded.candidates.length).toBeGreaterThan(recorded.hits.length)
    expect(answered).toMatchObject({ outcome: 'ok', models: null, at: 7 })
  })

  test('the excerpts of the answer are kept beside the record', () => {
    const [first] = answer.citations
    const run = runOfRecord(stored, new Map([[first!.id, 'what the server cut']]))
    expect(run.hits[0]!.excerpt).toBe('what the server cut')
  })

  test('a record of another shape is refused, not shown half', () => {
    expect(() => runOfRecord({ ...stored, record: { query: 'q' } })).toThrow('topK')
  })

  test('a branch lists what it returned, by its own ranks', () => {
    const { candidates } = runOfRecord(stored)
    const vector = branchOf(candidates, 'vector')
    const lexical = branchOf(candidates, 'lexical')
    // Each branch lacks some candidates, and ranks what it has from 1 without a gap.
    expect([vector.length, lexical.length].map((found) => found > 1 && found < candidates.length)).toEqual([true, true])
    expect(vector.map((each) => each.vectorRank)).toEqual(vector.map((_each, index) => index + 1))
    expect(lexical.map((each) => each.bm25Rank)).toEqual(lexical.map((_each, index) => index + 1))
  })

  test('an excerpt ends between characters, not inside one', () => {
    const family = '👩‍👩‍👧‍👦'
    const excerpt = excerptOf(family.repeat(100))
    expect(excerpt.length).toBeLessThanOrEqual(480)
    expect(excerpt.replaceAll(family, '')).toBe('')
    expect(excerptOf('short')).toBe('short')
  })
})

describe('two runs side by side', () => {
  const first = runOfRecord(stored)
  const [a, b, c] = first.hits
  const second = {
    ...first,
    hits: [
      { ...b!, rerankRank: 1 },
      { ...a!, rerankRank: 2 },
      { ...c!, chunkId: 'new', rerankRank: 3 }
    ],
    stages: first.stages.filter(({ name }) => name !== 'rerank')
  }

  test('tell what rose, fell, came and went', () => {
    const compared = compareHits(first, second)
    expect(compared.slice(0, 3).map(({ hit, rose }) => [hit.chunkId, rose])).toEqual([
      [b!.chunkId, 1],
      [a!.chunkId, -1],
      ['new', null]
    ])
    // Of the first run all but the three that the second names anew are gone.
    expect(compared.slice(3).map((each) => [each.hit.chunkId, each.second])).toEqual(
      first.hits.slice(2).map((hit) => [hit.chunkId, null])
    )
  })

  test('a stage that only one has is nothing in the other, not 0 ms', () => {
    expect(compareStages(first, second).at(-1)).toMatchObject({ name: 'rerank', second: null })
  })
})
