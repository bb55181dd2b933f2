import { tokenize } from '../../tokens/index.ts'
import type { Keyword } from './question.ts'

/**
 * Keywords of a request. Blank ones were not given; of those that search the same tokens the first stays, for a word asked
 * twice is no stronger evidence. One of punctuation alone stays, without tokens: to drop it would loosen a strict search.
 */
export function readKeywords(texts: readonly string[]): Keyword[] {
  const keywords = new Map<string, Keyword>()
  for (const text of texts.map((raw) => raw.trim())) {
    if (text === '') continue
    const tokens = [...new Set(tokenize(text))]
    // A token has no white space in it.
    const key = tokens.join(' ')
    if (!keywords.has(key)) keywords.set(key, { text, tokens })
  }
  return [...keywords.values()]
}
