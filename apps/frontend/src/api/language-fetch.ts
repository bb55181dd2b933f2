import type { LocaleName } from '../i18n/locales.ts'

const TAGS: Readonly<Record<LocaleName, string>> = { zh: 'zh-CN', en: 'en' }

/** A `fetch` that asks for texts in the page's language, which need not be the browser's. */
export function languageFetch(
  locale: () => LocaleName,
  send: typeof fetch = (...call) => fetch(...call)
): typeof fetch {
  return (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('accept-language', TAGS[locale()])
    return send(input, { ...init, headers })
  }
}
