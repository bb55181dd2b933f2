import { expect, test } from 'vitest'
import { environmentLanguage } from './environment-language.ts'

test.each([
  [{}, 'en'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'de_DE.UTF-8' }, 'en'],
  [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
  [{ LANG: 'zh' }, 'zh'],
  [{ LANG: 'zh-Hans' }, 'zh'],
  [{ LANG: 'zhuang' }, 'en'],
  [{ LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_TW.UTF-8' }, 'zh'],
  [{ LC_ALL: 'en_US.UTF-8', LANG: 'zh_CN.UTF-8' }, 'en'],
  [{ LC_MESSAGES: 'zh_CN.UTF-8', LANG: 'en_US.UTF-8' }, 'zh']
])('the language of %j is %s', (environment, expected) => {
  expect(environmentLanguage(environment)).toBe(expected)
})
