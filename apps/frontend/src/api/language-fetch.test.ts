import { expect, test } from 'vitest'
import type { LocaleName } from '../i18n/locales.ts'
import { languageFetch } from './language-fetch.ts'

test('asks in the language that the page has now, and keeps all else of a call', async () => {
  const seen: unknown[] = []
  let locale: LocaleName = 'zh'
  const send = languageFetch(
    () => locale,
    (input, init) => {
      seen.push([input, init?.method, Object.fromEntries(new Headers(init?.headers))])
      return Promise.resolve(new Response())
    }
  )
  await send('/a', { method: 'POST', headers: { 'content-type': 'text/plain' } })
  locale = 'en'
  await send('/b')
  expect(seen).toEqual([
    ['/a', 'POST', { 'content-type': 'text/plain', 'accept-language': 'zh-CN' }],
    ['/b', undefined, { 'accept-language': 'en' }]
  ])
})
