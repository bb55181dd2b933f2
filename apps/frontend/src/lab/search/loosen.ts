import type { SearchResponse } from '@oncall-agent/api-contracts'
import { lacksEmbedder, stageOf } from './search-answer.ts'
import type { SearchWish } from './search-wish.ts'

export type LooseningName = 'auto' | 'meaning' | 'project' | 'equipment' | 'codes' | 'type' | 'bases' | 'filters'

/** A way to ask for more, and the search that does it. */
export interface Loosening {
  readonly name: LooseningName
  readonly wish: SearchWish
}

const filters: readonly (readonly [
  name: LooseningName,
  none: Partial<SearchWish>,
  isAsked: (wish: SearchWish) => boolean
])[] = [
  ['project', { project: '' }, ({ project }) => project !== ''],
  ['equipment', { equipment: '' }, ({ equipment }) => equipment !== ''],
  ['codes', { codes: [] }, ({ codes }) => codes.length > 0],
  ['type', { type: '' }, ({ type }) => type !== ''],
  ['bases', { baseIds: [] }, ({ baseIds }) => baseIds.length > 0]
]

/** What to let go of after a search that found nothing, the least first. */
export function looseningsOf(wish: SearchWish, response: SearchResponse): readonly Loosening[] {
  const asked = filters.filter(([, , isAsked]) => isAsked(wish))
  const changes: readonly (readonly [LooseningName, Partial<SearchWish>])[] = [
    ...(wish.mode === 'auto' ? [] : [['auto', { mode: 'auto' }] as const]),
    ...(canMean(wish, response) ? [['meaning', { mode: 'auto', sentence: wish.keywords.join(' ') }] as const] : []),
    ...asked.map(([name, none]) => [name, none] as const),
    ...(asked.length > 1 ? [['filters', Object.assign({}, ...asked.map(([, none]) => none))] as const] : [])
  ]
  return changes.map(([name, change]) => ({ name, wish: { ...wish, ...change, from: 0 } }))
}

/** Without a sentence nothing is looked for by meaning; the keywords can stand for one. */
function canMean({ keywords, sentence }: SearchWish, response: SearchResponse): boolean {
  return keywords.length > 0 && sentence === '' && response.stages.length > 0 && !lacksEmbedder(response)
}

/** Whether meaning was wanted and could not be asked for. */
export const missedMeaning = (response: SearchResponse): boolean =>
  stageOf(response, 'vector_only')?.reason === 'embedder_down'
