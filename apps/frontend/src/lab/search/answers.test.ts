import type { SearchResponse } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { sampleSearch } from '../../../dev/sample-search.ts'
import { compareAnswers, differingSettings } from './compare-answers.ts'
import { ladderOf } from './ladder.ts'
import { looseningsOf } from './loosen.ts'
import { narrowed } from './narrow.ts'
import { scorePartsOf } from './score-parts.ts'
import type { SearchAnswer } from './search-answer.ts'
import { emptyWish, requestOf, type SearchWish } from './search-wish.ts'

const wishFor = (word: string, change: Partial<SearchWish> = {}): SearchWish => ({
  ...emptyWish,
  keywords: [word],
  ...change
})
function answerTo(wish: SearchWish): SearchAnswer {
  return { wish, response: sampleSearch('s1', requestOf(wish), false), at: 0, locale: 'en' }
}
const ranks = ({ response }: SearchAnswer, id: string): number =>
  response.hits.findIndex((hit) => hit.document_id === id) + 1
const statesOf = (wish: SearchWish): readonly string[] =>
  ladderOf(answerTo(wish).response, wish.mode).map(({ state }) => state)

const partsOf = (wish: SearchWish, change: Partial<SearchResponse> = {}) => {
  const response = { ...answerTo(wish).response, ...change }
  return { hit: response.hits[0]!, parts: scorePartsOf(response.hits[0]!, response) }
}

const namesFor = (change: Partial<SearchWish>): readonly string[] => {
  const { wish, response } = answerTo(wishFor('no_hit', change))
  return looseningsOf(wish, response).map(({ name }) => name)
}

describe('the steps from strict to lenient', () => {
  test.each([
    ['strict_hit', ['answered', 'not_needed', 'not_needed']],
    ['too_many', ['answered', 'not_needed', 'not_needed']],
    ['loose_hit', ['empty', 'answered', 'not_needed']],
    ['vector_only', ['empty', 'empty', 'answered']],
    ['no_hit', ['empty', 'empty', 'skipped']]
  ])('of %s', (word, states) => {
    expect(statesOf(wishFor(word))).toEqual(states)
  })

  test('those that the mode leaves out are not asked for; without anything to read none ran', () => {
    const wish = wishFor('strict_hit', { mode: 'strict' })
    expect(statesOf(wish)).toEqual(['answered', 'not_asked', 'not_asked'])
    const nothing = { ...answerTo(wish).response, stages: [] }
    expect(ladderOf(nothing, 'auto').map(({ state }) => state)).toEqual(['no_scope', 'no_scope', 'no_scope'])
  })
})

describe('the parts of a score', () => {
  test('add up to it', () => {
    const { hit, parts } = partsOf(wishFor('any', { settings: { vector_weight: 0.25 } }))
    if (parts.by !== 'both') throw new Error(`it is made of ${parts.by}`)
    const { words, meaning } = parts
    expect([words.weight, meaning.weight]).toEqual([0.75, 0.25])
    expect(words.weight * words.value + meaning.weight * meaning.value).toBeCloseTo(hit.score, 12)
  })

  test('are words alone where nothing was rescored, meaning alone where no keyword matched', () => {
    expect(partsOf(wishFor('any', { settings: { vector_weight: 0 } })).parts).toEqual({ by: 'words' })
    expect(partsOf(wishFor('vector_only')).parts).toEqual({ by: 'meaning' })
    const ran = { name: 'strict', status: 'ok', found: 6, took_ms: 1 } as const
    const unasked = { ...ran, rescore: 'skipped', reason: 'nothing_to_embed' } as const
    expect(partsOf(emptyWish, { stages: [unasked] }).parts).toEqual({ by: 'nothing' })
  })
})

describe('a value of too many documents', () => {
  test('narrows, from the first page', () => {
    const wish = wishFor('too_many', { from: 20 })
    expect(narrowed(wish, 'project', 'payments')).toEqual({ ...wish, project: 'payments', from: 0 })
    expect(narrowed(wish, 'error_codes', 'ORA 600, x')).toEqual({ ...wish, codes: ['ORA 600, x'], from: 0 })
  })

  test('does not where it is asked for already, and no other code is put beside those: that would widen', () => {
    expect(narrowed(wishFor('x', { equipment: 'a' }), 'equipment', 'a')).toBeNull()
    expect(narrowed(wishFor('x', { codes: ['E1'] }), 'error_codes', 'E2')).toBeNull()
    expect(narrowed(wishFor('x', { codes: ['E1', 'E2'] }), 'error_codes', 'E2')?.codes).toEqual(['E2'])
  })
})

describe('after nothing was found', () => {
  test('each filter can be let go of, and all at once', () => {
    expect(namesFor({ project: 'p', codes: ['E1'] })).toEqual(['meaning', 'project', 'codes', 'filters'])
    const { wish, response } = answerTo(wishFor('no_hit', { project: 'p', codes: ['E1'], type: 'alarm' }))
    const all = looseningsOf(wish, response).at(-1)
    expect(all).toEqual({ name: 'filters', wish: { ...wish, project: '', codes: [], type: '' } })
  })

  test('a stricter mode can relax, and keywords can stand for a sentence where there is none', () => {
    expect(namesFor({ mode: 'strict', sentence: 'said' })).toEqual(['auto'])
    const { wish, response } = answerTo(wishFor('no_hit'))
    expect(looseningsOf(wish, response)[0]?.wish).toMatchObject({ mode: 'auto', sentence: 'no_hit' })
  })

  test('meaning is not offered while the embedder is down', () => {
    const { wish, response } = answerTo(wishFor('no_hit'))
    const stages = response.stages.map((each) =>
      each.name === 'embed' ? { ...each, status: 'failed' as const } : each
    )
    expect(looseningsOf(wish, { ...response, stages })).toEqual([])
  })
})

describe('two answers side by side', () => {
  const first = answerTo(wishFor('loose_hit'))
  const second = answerTo(wishFor('loose_hit', { settings: { vector_weight: 1 } }))

  test('tell what rose, fell, came and went', () => {
    const compared = compareAnswers(first, second)
    for (const { hit, first: was, second: now, rose } of compared) {
      const [before, after] = [ranks(first, hit.document_id), ranks(second, hit.document_id)]
      expect([was?.rank ?? 0, now?.rank ?? 0]).toEqual([before, after])
      expect(rose).toBe(before > 0 && after > 0 ? before - after : null)
    }
    expect(compared.some(({ rose }) => rose !== null && rose > 0)).toBe(true)
    expect(differingSettings(first, second)).toEqual(['vector_weight'])
  })

  test('count the pages before theirs', () => {
    const later = answerTo(wishFor('loose_hit', { from: 10 }))
    expect(compareAnswers(later, later)[0]?.first?.rank).toBe(11)
  })
})
