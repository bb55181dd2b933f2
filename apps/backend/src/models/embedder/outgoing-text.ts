import { cutAtGrapheme } from '@oncall-agent/retrieval'
import { estimateTokens } from './estimate-tokens.ts'

/** A text as it is sent, and what it counts. */
export interface OutgoingText {
  readonly text: string
  readonly tokenCount: number
}

/** Stands for a text of nothing but blanks, which servers refuse; it still needs a vector of its own. */
const NOTHING = '.'

/**
 * The text with the role's prefix, cut to at most `maxTokens` by the estimate. Lone surrogates become U+FFFD: they are
 * no text, and some servers refuse a whole batch for one.
 */
export function outgoingText(text: string, prefix: string, maxTokens: number): OutgoingText {
  const said = text.trim() === '' ? NOTHING : text.toWellFormed()
  return cutToTokens(`${prefix}${said}`, maxTokens)
}

/** The same text shorter, for a server that found it too long; undefined when nothing would be left of it. */
export function shorter({ text }: OutgoingText, share: number): OutgoingText | undefined {
  const cut = cutWithin(text, Math.floor(text.length * share))
  return cut.trim() === '' ? undefined : { text: cut, tokenCount: estimateTokens(cut) }
}

function cutToTokens(text: string, maxTokens: number): OutgoingText {
  const whole = estimateTokens(text)
  if (whole <= maxTokens) return { text, tokenCount: whole }
  // The estimate grows with the text, so the longest beginning that fits is found by halving.
  let fits = 0
  let tooLong = text.length
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) fits = middle
    else tooLong = middle
  }
  const cut = cutWithin(text, fits)
  return { text: cut, tokenCount: Math.min(maxTokens, estimateTokens(cut)) }
}

/** Between characters as a reader knows them, unless the first one alone is longer: a letter may carry any number of marks. */
function cutWithin(text: string, limit: number): string {
  return cutAtGrapheme(text, limit) || text.slice(0, limit).toWellFormed()
}
