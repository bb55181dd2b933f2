import type { SearchResponse } from '@oncall-agent/api-contracts'
import type { LocaleName } from '../../i18n/locales.ts'
import type { SearchWish } from './search-wish.ts'

export type SearchStage = SearchResponse['stages'][number]
export type SkipReason = NonNullable<SearchStage['reason']>

/** A search and what came of it. */
export interface SearchAnswer {
  readonly wish: SearchWish
  readonly response: SearchResponse
  /** Ms since the epoch. */
  readonly at: number
  /** The language that its banner was asked for in. */
  readonly locale: LocaleName
}

export function stageOf({ stages }: SearchResponse, name: SearchStage['name']): SearchStage | undefined {
  return stages.find((stage) => stage.name === name)
}

/** The stage whose documents are the answer. */
export const answering = (response: SearchResponse): SearchStage | undefined =>
  rungNames.map((name) => stageOf(response, name)).findLast((stage) => stage?.status === 'ok')

/** From strict to lenient. */
export const rungNames = ['strict', 'loose', 'vector_only'] as const
export type RungName = (typeof rungNames)[number]

/** Milliseconds of all stages. */
export const tookOf = ({ stages }: SearchResponse): number => stages.reduce((sum, { took_ms: ms }) => sum + ms, 0)

/** Whether the answer would be another one with the embedder up. */
export const lacksEmbedder = (response: SearchResponse): boolean => stageOf(response, 'embed')?.status === 'failed'
