import { createTexts } from '@oncall-agent/frontend/create-texts'
import { formatsOf } from '@oncall-agent/frontend/formats'
import type { Named, TextKey } from '@oncall-agent/frontend/use-texts'

export type Locale = 'zh' | 'en'
export const locales: readonly Locale[] = ['zh', 'en']

/** The page's own words and formats: a test finds things by what people read, and holds when a word is changed. */
export interface PageTexts {
  readonly locale: Locale
  t(key: TextKey, named?: Named): string
  /** A text that depends on a number. */
  counted(key: TextKey, count: number, named?: Named): string
  readonly formats: ReturnType<typeof formatsOf>
}

export function textsOf(locale: Locale): PageTexts {
  const { global } = createTexts()
  global.locale.value = locale
  const formats = formatsOf(locale)
  return {
    locale,
    formats,
    t: (key, named = {}) => global.t(key, named),
    counted: (key, count, named = {}) => global.t(key, { ...named, count: formats.number(count) }, count)
  }
}
