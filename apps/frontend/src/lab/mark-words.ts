/** A piece of a text, and whether the query has it. */
export interface MarkedPiece {
  readonly text: string
  readonly hit: boolean
}

/** Runs of Han, kana and Hangul; runs of other letters and digits. */
const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|[\p{L}\p{M}\p{N}_]+/gu
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu

/**
 * Marks where a text has words of the query: words of letters whole and in any case, with the parts of camelCase, and
 * of Chinese each pair of neighbours. It only points the eye; what matched is said by the ranks and scores.
 */
export function markWords(text: string, query: string): readonly MarkedPiece[] {
  const wanted = wantedOf(query)
  const marks = new Uint8Array(text.length)
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (CJK.test(word)) markPairs(word, index, wanted, marks)
    else markWord(word, index, wanted, marks)
  }
  return piecesOf(text, marks)
}

function wantedOf(query: string): ReadonlySet<string> {
  const wanted = new Set<string>()
  for (const [word] of query.matchAll(WORDS)) {
    if (!CJK.test(word)) {
      for (const part of [word, ...partsOf(word)]) if (part.length > 1) wanted.add(part.toLowerCase())
      continue
    }
    const letters = [...word]
    if (letters.length === 1) wanted.add(word)
    for (let at = 1; at < letters.length; at++) wanted.add(`${letters[at - 1]}${letters[at]}`)
  }
  return wanted
}

function partsOf(word: string): readonly string[] {
  return [...word.matchAll(PARTS)].map(([part]) => part)
}

function markWord(word: string, index: number, wanted: ReadonlySet<string>, marks: Uint8Array): void {
  if (wanted.has(word.toLowerCase())) return void marks.fill(1, index, index + word.length)
  for (const { 0: part, index: at } of word.matchAll(PARTS))
    if (part.length > 1 && wanted.has(part.toLowerCase())) marks.fill(1, index + at, index + at + part.length)
}

function markPairs(word: string, index: number, wanted: ReadonlySet<string>, marks: Uint8Array): void {
  const letters = [...word]
  let at = index
  for (const [place, letter] of letters.entries()) {
    const pair = `${letter}${letters[place + 1] ?? ''}`
    if (wanted.has(letter)) marks.fill(1, at, at + letter.length)
    if (wanted.has(pair)) marks.fill(1, at, at + pair.length)
    at += letter.length
  }
}

function piecesOf(text: string, marks: Uint8Array): readonly MarkedPiece[] {
  const pieces: MarkedPiece[] = []
  let start = 0
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && marks[at] === marks[start]) continue
    pieces.push({ text: text.slice(start, at), hit: marks[start] === 1 })
    start = at
  }
  return pieces
}
