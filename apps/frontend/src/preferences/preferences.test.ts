import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { createTexts } from '../i18n/create-texts.ts'
import { usePreferences } from './preferences-store.ts'

function opened() {
  setActivePinia(createPinia())
  const texts = createTexts()
  const preferences = usePreferences()
  preferences.apply(texts)
  return { preferences, texts }
}

const languages = (...names: string[]): void => void vi.spyOn(navigator, 'languages', 'get').mockReturnValue(names)

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('language and colours', () => {
  test('begin as the browser has them', () => {
    languages('zh-CN', 'en')
    const { preferences, texts } = opened()
    expect([preferences.locale, preferences.theme, texts.global.locale.value]).toEqual(['zh', 'system', 'zh'])
    expect([document.documentElement.lang, document.documentElement.dataset.theme]).toEqual(['zh-CN', 'system'])
  })

  test('are remembered, and a choice wins over the browser', async () => {
    languages('zh-CN')
    const first = opened()
    first.preferences.locale = 'en'
    first.preferences.theme = 'dark'
    await nextTick()
    const { preferences, texts } = opened()
    expect([preferences.locale, preferences.theme, texts.global.locale.value]).toEqual(['en', 'dark', 'en'])
    expect(document.documentElement.dataset.theme).toBe('dark')
  })

  test('what was remembered wrongly is as if nothing was', () => {
    languages('en')
    localStorage.setItem('oncall.preferences.theme', 'purple')
    localStorage.setItem('oncall.preferences.locale', 'xx')
    const { preferences } = opened()
    expect([preferences.locale, preferences.theme]).toEqual(['en', 'system'])
  })

  test('a browser that keeps nothing still lets one choose', async () => {
    languages('en')
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied')
    })
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied')
    })
    const { preferences, texts } = opened()
    preferences.locale = 'zh'
    await nextTick()
    expect(texts.global.locale.value).toBe('zh')
  })
})

test('English counts one and many, Chinese has one form', () => {
  const { t, locale } = createTexts().global
  const forms = [0, 1, 2].map((count) => t('knowledge.documents', { count }, count))
  locale.value = 'zh'
  expect([...forms, t('knowledge.documents', { count: 1 }, 1)]).toEqual([
    '0 documents',
    '1 document',
    '2 documents',
    '1 个文档'
  ])
})
