import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import type { en } from './en/index.ts'
import { formatsOf } from './formats.ts'
import type { LocaleName } from './locales.ts'

type Paths<Texts, Prefix extends string = ''> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? `${Prefix}${Key}` : Paths<Texts[Key], `${Prefix}${Key}.`>
}[keyof Texts & string]

/** Address of a text: "knowledge.create". */
export type TextKey = Paths<typeof en>
export type Named = Readonly<Record<string, string | number>>

/** Texts and formats of the chosen language; a key that does not exist is a type error. */
export function useTexts() {
  const i18n = useI18n({ useScope: 'global' })
  const formats = computed(() => formatsOf(i18n.locale.value as LocaleName))
  const t = (key: TextKey, named: Named = {}): string => i18n.t(key, named)
  /** A text that depends on a number: `{count}` is the number, formatted. */
  const counted = (key: TextKey, count: number, named: Named = {}): string =>
    i18n.t(key, { ...named, count: formats.value.number(count) }, count)
  const locale = computed(() => i18n.locale.value as LocaleName)
  return { t, counted, formats, locale }
}
