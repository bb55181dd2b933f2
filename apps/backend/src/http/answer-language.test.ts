import { expect, test } from 'vitest'
import { answerLanguage } from './answer-language.ts'

test.each([
  [undefined, 'zh'],
  ['', 'zh'],
  ['en', 'en'],
  ['EN-gb', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en;q=0.8,zh;q=0.9', 'zh'],
  ['en;q=0.9 , zh-TW;q=0.8', 'en'],
  ['en, zh', 'en'],
  ['zh, en', 'zh'],
  ['fr, de;q=0.5', 'zh'],
  ['fr, en;q=0.1', 'en'],
  ['*', 'zh'],
  ['*, zh;q=0', 'en'],
  ['en;q=0, *', 'zh'],
  ['zh;q=0', 'zh'],
  ['en;q=0, zh;q=0', 'zh'],
  ['zh;q=0, *;q=0.5', 'en'],
  ['en;q=2, zh;q=0.1', 'zh'],
  ['en;q=0.0001', 'zh'],
  ['english', 'zh'],
  [`${'fr,'.repeat(400)}en`, 'zh'],
  [';;;q=,=,', 'zh']
])('Accept-Language %j is answered in %s', (header, language) => {
  expect(answerLanguage(header)).toBe(language)
})
