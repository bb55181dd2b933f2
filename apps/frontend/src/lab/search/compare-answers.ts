import type { SearchHit } from '@oncall-agent/api-contracts'
import type { SearchAnswer } from './search-answer.ts'
import { type SettingName, settingNames } from './search-wish.ts'

export interface RankedHit {
  readonly hit: SearchHit
  /** From 1, pages before it counted. */
  readonly rank: number
}

/** One document in two answers; null where an answer does not show it. */
export interface ComparedDocument {
  readonly hit: SearchHit
  readonly first: RankedHit | null
  readonly second: RankedHit | null
  /** Places it rose (above 0) or fell; null when only one answer shows it. */
  readonly rose: number | null
}

/** The documents of two answers as one list: in the second's order, then what only the first shows. */
export function compareAnswers(first: SearchAnswer, second: SearchAnswer): readonly ComparedDocument[] {
  const before = rankedOf(first)
  const after = rankedOf(second)
  const kept = [...after.values()].map((now): ComparedDocument => {
    const was = before.get(now.hit.document_id) ?? null
    return { hit: now.hit, first: was, second: now, rose: was === null ? null : was.rank - now.rank }
  })
  const gone = [...before.values()].filter(({ hit }) => !after.has(hit.document_id))
  return [...kept, ...gone.map((was): ComparedDocument => ({ hit: was.hit, first: was, second: null, rose: null }))]
}

function rankedOf({ wish, response }: SearchAnswer): ReadonlyMap<string, RankedHit> {
  return new Map(response.hits.map((hit, index) => [hit.document_id, { hit, rank: wish.from + index + 1 }]))
}

/** The settings that two answers were made with differently. */
export const differingSettings = (first: SearchAnswer, second: SearchAnswer): readonly SettingName[] =>
  settingNames.filter((name) => first.response.settings[name] !== second.response.settings[name])
