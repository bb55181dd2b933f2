import { createHash } from 'node:crypto'
import { tokenize } from '@oncall-agent/retrieval'

/**
 * UTF-16 units of a term. The engine's tokenizer cuts longer ones in pieces, Lucene refuses those above 32,766 bytes, and a
 * token may be as long as a document.
 */
export const LONGEST_WORD = 255

/** The tokens of a text as the engine splits them again: at white space, of which no token has any. */
export function wordsOf(text: string): string {
  return tokenize(text).map(wordOf).join(' ')
}

/**
 * The term that stands for a token: itself, or the digest of one that is too long. No token has a `#`, so that no two
 * tokens share a term.
 */
export function wordOf(token: string): string {
  return token.length <= LONGEST_WORD ? token : `#${createHash('sha256').update(token).digest('base64url')}`
}
