import { QUERY_LIMIT } from '@oncall-agent/api-contracts'
import {
  emptyWish,
  type SearchMode,
  type SearchWish,
  type SettingName,
  settingNames,
  type SettingsWish
} from './search-wish.ts'
import { joinWords, splitWords, type WordRule } from './split-words.ts'

export const keywordRule: WordRule = { atCommas: false }
export const codeRule: WordRule = { atCommas: true }

/** What stands in the form: texts as they are typed, and a number that is not one yet as an empty text. */
export interface SearchFields {
  keywords: string
  sentence: string
  project: string
  equipment: string
  codes: string
  type: string
  mode: SearchMode
  size: number
  baseIds: string[]
  settings: Record<SettingName, number | ''>
}

export function fieldsOf(wish: SearchWish): SearchFields {
  const settings = settingNames.map((name) => [name, wish.settings[name] ?? ''])
  const { sentence, project, equipment, type, mode, size } = wish
  const asTyped = { sentence, project, equipment, type, mode, size }
  return {
    ...asTyped,
    keywords: joinWords(wish.keywords, keywordRule),
    codes: joinWords(wish.codes, codeRule),
    baseIds: [...wish.baseIds],
    settings: Object.fromEntries(settings) as SearchFields['settings']
  }
}

/** The wish of a form that is sent: from the first page. */
export function wishOf(fields: SearchFields): SearchWish {
  const given = settingNames.filter((name) => fields.settings[name] !== '')
  return {
    project: fields.project.trim(),
    equipment: fields.equipment.trim(),
    codes: splitWords(fields.codes, codeRule),
    type: fields.type.trim(),
    keywords: splitWords(fields.keywords, keywordRule),
    sentence: fields.sentence.trim(),
    mode: fields.mode,
    size: fields.size,
    from: emptyWish.from,
    baseIds: [...fields.baseIds],
    settings: Object.fromEntries(given.map((name) => [name, fields.settings[name]])) as SettingsWish
  }
}

/** A sentence with a pasted one behind what stands there already, as long as one may be and no half letter at its end. */
export function withPasted(sentence: string, pasted: string): string {
  const all = [sentence.trim(), pasted.trim()].filter((each) => each !== '').join('\n')
  return all.slice(0, QUERY_LIMIT).replace(/[\uD800-\uDBFF]$/, '')
}
