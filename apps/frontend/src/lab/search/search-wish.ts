import { type SearchRequestInput, type SearchResponse, searchModeSchema } from '@oncall-agent/api-contracts'

export const searchModes = searchModeSchema.options
export type SearchMode = (typeof searchModes)[number]
export type SettingName = keyof SearchResponse['settings']
export type SettingsWish = Partial<Readonly<Record<SettingName, number>>>

/** What an answer can be asked to be made with, and what each may be; the server checks again. */
export const settingRanges: Readonly<Record<SettingName, { min: number; max: number; whole: boolean }>> = {
  strict_max_hits: { min: 1, max: 100, whole: true },
  title_boost: { min: 0, max: 100, whole: false },
  rrf_window: { min: 1, max: 10_000, whole: true },
  vector_weight: { min: 0, max: 1, whole: false },
  loose_min_match: { min: 0.01, max: 1, whole: false }
}
export const settingNames = Object.keys(settingRanges) as readonly SettingName[]

/** Documents a page: the server's default first. */
export const pageSizes = [10, 20, 50, 100] as const

/** What somebody wants to find; an empty text or list is not asked for. */
export interface SearchWish {
  readonly project: string
  readonly equipment: string
  readonly codes: readonly string[]
  readonly type: string
  readonly keywords: readonly string[]
  readonly sentence: string
  readonly mode: SearchMode
  readonly size: number
  /** Documents before the page. */
  readonly from: number
  readonly baseIds: readonly string[]
  readonly settings: SettingsWish
}

export const emptyWish: SearchWish = {
  project: '',
  equipment: '',
  codes: [],
  type: '',
  keywords: [],
  sentence: '',
  mode: 'auto',
  size: pageSizes[0],
  from: 0,
  baseIds: [],
  settings: {}
}

/** The wish as the contract has it: what is not asked for is not there. */
export function requestOf(wish: SearchWish): SearchRequestInput {
  const { project, equipment, codes, type, keywords, sentence, mode, size, from, baseIds, settings } = wish
  return {
    ...(project === '' ? {} : { project }),
    ...(equipment === '' ? {} : { equipment }),
    ...(codes.length === 0 ? {} : { error_codes: [...codes] }),
    ...(type === '' ? {} : { knowledge_type: type }),
    ...(keywords.length === 0 ? {} : { keywords: [...keywords] }),
    ...(sentence === '' ? {} : { query_text: sentence }),
    mode,
    size,
    ...(from === 0 ? {} : { from_: from }),
    ...(baseIds.length === 0 ? {} : { knowledge_base_ids: [...baseIds] }),
    ...(Object.keys(settings).length === 0 ? {} : { settings })
  }
}

/** The words that the eye looks for in an excerpt: the keywords; only where there are none those of the sentence. */
export const wordsOf = ({ keywords, sentence }: SearchWish): string =>
  keywords.length === 0 ? sentence : keywords.join(' ')
