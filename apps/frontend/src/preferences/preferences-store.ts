import { defineStore } from 'pinia'
import { ref, watch } from 'vue'
import type { Texts } from '../i18n/create-texts.ts'
import { type LocaleName, localeOf } from '../i18n/locales.ts'
import { remembered } from './remembered.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Language and colours: this browser's own choice, remembered in it. */
export const usePreferences = defineStore('preferences', () => {
  const memory = remembered('oncall.preferences')
  const locale = ref<LocaleName>(localeOf([memory.read('locale'), ...navigator.languages]))
  const theme = ref<Theme>(themes.find((name) => name === memory.read('theme')) ?? 'system')

  /** Keeps the document and the texts equal to what is chosen. */
  function apply(texts: Texts): void {
    watch(
      [locale, theme],
      () => {
        texts.global.locale.value = locale.value
        document.documentElement.lang = locale.value === 'zh' ? 'zh-CN' : 'en'
        document.documentElement.dataset.theme = theme.value
      },
      { immediate: true }
    )
  }
  watch(locale, (name) => memory.write('locale', name))
  watch(theme, (name) => memory.write('theme', name))
  return { locale, theme, apply }
})
