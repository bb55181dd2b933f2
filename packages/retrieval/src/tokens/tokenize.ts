import { camelPieces } from './camel-pieces.ts'
import { visitRuns } from './runs.ts'

/** Stored with an index; statistics of two versions must never meet in one. */
export const TOKENIZER_VERSION = 'v1'

export const JOINER_RUN = /[._:/-]+/
// Most words of prose are one piece; this spares them the split.
const ONE_PIECE = /^(?:[A-Z]?[a-z]+|[0-9]+|[A-Z]+)$/
const ASTRAL = /[\ud800-\udbff]/
const ASCII_WORD = /^[0-9A-Za-z]+$/

/**
 * Tokens v1 of a text, in a fixed order, duplicates kept. The text is brought to NFKC first; nothing is stemmed or stopped.
 * - a run of CJK: each character, then each adjacent pair
 * - any other run: the whole identifier in lower case, its parts of two characters or more, and the pieces of ASCII camelCase
 */
export function tokenize(text: string): string[] {
  const normal = text.normalize('NFKC')
  const tokens: string[] = []
  visitRuns(normal, (start, end, isCjk) => {
    const run = normal.slice(start, end)
    if (isCjk) pushCjk(tokens, run)
    else pushIdentifier(tokens, run)
  })
  return tokens
}

function pushCjk(tokens: string[], run: string): void {
  const characters = ASTRAL.test(run) ? Array.from(run) : run
  for (let index = 0; index < characters.length; index++) tokens.push(characters[index]!)
  for (let index = 1; index < characters.length; index++) tokens.push(characters[index - 1]! + characters[index]!)
}

function pushIdentifier(tokens: string[], run: string): void {
  tokens.push(run.toLowerCase())
  if (!JOINER_RUN.test(run)) {
    pushPieces(tokens, run)
    return
  }
  for (const part of run.split(JOINER_RUN)) {
    if (hasTwoCharacters(part)) tokens.push(part.toLowerCase())
    pushPieces(tokens, part)
  }
}

function pushPieces(tokens: string[], part: string): void {
  if (ONE_PIECE.test(part) || !ASCII_WORD.test(part)) return
  for (const piece of camelPieces(part)) if (piece.length > 1) tokens.push(piece.toLowerCase())
}

/** Characters are code points: one letter of an astral script is two units and still one character. */
export function hasTwoCharacters(part: string): boolean {
  return part.length > 2 || (part.length === 2 && part.codePointAt(0)! < 0x10000)
}
