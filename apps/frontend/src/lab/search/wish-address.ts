import { type LocationQuery, type LocationQueryRaw, parseQuery, stringifyQuery } from 'vue-router'
import { emptyWish, searchModes, type SearchWish, settingNames, type SettingsWish } from './search-wish.ts'

/** The search that another is compared with, as the query string of its own address. */
const WITH = 'with'

/** A wish in the address, by the names of the HTTP contract; `mode` always, so that a search for anything is one too. */
export function queryOf(wish: SearchWish): LocationQueryRaw {
  const { project, equipment, codes, type, keywords, sentence, mode, size, from, baseIds, settings } = wish
  return {
    ...(keywords.length === 0 ? {} : { keywords: [...keywords] }),
    ...(sentence === '' ? {} : { query_text: sentence }),
    ...(project === '' ? {} : { project }),
    ...(equipment === '' ? {} : { equipment }),
    ...(codes.length === 0 ? {} : { error_codes: [...codes] }),
    ...(type === '' ? {} : { knowledge_type: type }),
    ...(baseIds.length === 0 ? {} : { knowledge_base_ids: [...baseIds] }),
    mode,
    ...(size === emptyWish.size ? {} : { size }),
    ...(from === 0 ? {} : { from }),
    ...settings
  }
}

/** Equal for equal wishes. */
export const keyOf = (wish: SearchWish): string => stringifyQuery(queryOf(wish))

/** The address of a search, and of the one beside it. */
export const addressOf = (wish: SearchWish, other: SearchWish | null): LocationQueryRaw =>
  other === null ? queryOf(wish) : { ...queryOf(wish), [WITH]: keyOf(other) }

/** The wish of an address; null where nothing is asked for. What a person mistyped there is as if it were absent. */
export function wishIn(query: LocationQuery): SearchWish | null {
  const wish: SearchWish = {
    project: textIn(query, 'project'),
    equipment: textIn(query, 'equipment'),
    codes: textsIn(query, 'error_codes'),
    type: textIn(query, 'knowledge_type'),
    keywords: textsIn(query, 'keywords'),
    sentence: textIn(query, 'query_text'),
    mode: searchModes.find((mode) => mode === textIn(query, 'mode')) ?? emptyWish.mode,
    size: numberIn(query, 'size') ?? emptyWish.size,
    from: numberIn(query, 'from') ?? emptyWish.from,
    baseIds: textsIn(query, 'knowledge_base_ids'),
    settings: settingsIn(query)
  }
  const isAsked = textIn(query, 'mode') !== '' || keyOf(wish) !== keyOf(emptyWish)
  return isAsked ? wish : null
}

/** The search that is compared with; null where there is none. */
export function otherIn(query: LocationQuery): SearchWish | null {
  const other = textIn(query, WITH)
  return other === '' ? null : wishIn(parseQuery(other))
}

function settingsIn(query: LocationQuery): SettingsWish {
  const given = settingNames.map((name) => [name, numberIn(query, name)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as SettingsWish
}

function textsIn(query: LocationQuery, name: string): readonly string[] {
  const value = query[name]
  const all = Array.isArray(value) ? value : [value]
  return all.filter((each): each is string => typeof each === 'string' && each !== '')
}

const textIn = (query: LocationQuery, name: string): string => textsIn(query, name)[0] ?? ''

function numberIn(query: LocationQuery, name: string): number | undefined {
  const text = textIn(query, name).trim()
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
}
