import { createI18n } from 'vue-i18n'
import { en } from './en/index.ts'
import { zh } from './zh/index.ts'

/** English has two forms, chosen by the platform's own rules; Chinese has one. */
const englishForm = new Intl.PluralRules('en')

export function createTexts() {
  return createI18n({
    legacy: false,
    locale: 'en',
    fallbackLocale: 'en',
    messages: { en, zh },
    pluralRules: { en: (count: number) => (englishForm.select(count) === 'one' ? 0 : 1), zh: () => 0 }
  })
}

export type Texts = ReturnType<typeof createTexts>
