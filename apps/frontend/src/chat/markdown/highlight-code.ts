import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from '@shikijs/core'
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'

/** UTF-16 units; colouring more would hold the page up, and nobody reads that much of it. */
const LENGTH_LIMIT = 20_000

/** Each is fetched when it is first met. */
const languages = {
  bash: () => import('@shikijs/langs/bash'),
  go: () => import('@shikijs/langs/go'),
  java: () => import('@shikijs/langs/java'),
  json: () => import('@shikijs/langs/json'),
  log: () => import('@shikijs/langs/log'),
  python: () => import('@shikijs/langs/python'),
  sql: () => import('@shikijs/langs/sql'),
  yaml: () => import('@shikijs/langs/yaml')
} as const
type Language = keyof typeof languages

const others: Readonly<Record<string, Language>> = {
  console: 'bash',
  golang: 'go',
  py: 'python',
  sh: 'bash',
  shell: 'bash',
  yml: 'yaml',
  zsh: 'bash'
}

/** Colours are names of the page's own palette, so that both palettes have them. */
const theme = createCssVariablesTheme({ name: 'page', variablePrefix: '--code-', fontStyle: false })
let made: Promise<HighlighterCore> | null = null
const loaded = new Map<Language, Promise<void>>()

/** Colours a piece of code in place, if its language is known; it stays the text that it is. */
export async function highlightCode(code: Element): Promise<void> {
  const language = languageOf(code.getAttribute('data-language') ?? '')
  const text = code.textContent
  if (language === null || text.length > LENGTH_LIMIT) return
  made ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true })
  })
  const highlighter = await made
  const ready = loaded.get(language) ?? highlighter.loadLanguage(languages[language]())
  loaded.set(language, ready)
  await ready
  const { tokens } = highlighter.codeToTokens(text, { lang: language, theme: 'page' })
  const lines = tokens.flatMap((line, index) => [
    ...(index === 0 ? [] : [document.createTextNode('\n')]),
    ...line.map(({ content, color }) => {
      const span = document.createElement('span')
      span.textContent = content
      if (color !== undefined) span.style.color = color
      return span
    })
  ])
  // It may have been drawn anew meanwhile; then this one is no part of the page any more.
  code.replaceChildren(...lines)
}

function languageOf(name: string): Language | null {
  const plain = others[name] ?? name
  return Object.hasOwn(languages, plain) ? (plain as Language) : null
}
