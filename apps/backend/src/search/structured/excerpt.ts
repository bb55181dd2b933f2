import { graphemeBoundary, type StructuredQuestion, tokenize } from '@oncall-agent/retrieval'

/** A part of a document's text; its span is in UTF-16 units. */
export interface Excerpt {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** UTF-16 units: about three lines on a screen. */
const LENGTH = 240
/** Shown before the first word that was found, so that it does not stand alone. */
const LEAD = 40
/** Places of one word that are looked at; a word on every line is nowhere in particular. */
const PLACES_LIMIT = 500
/** Words of a sentence that are looked for, where there are no keywords. */
const WORDS_LIMIT = 50

interface Place {
  readonly at: number
  /** Which of the words. */
  readonly word: number
}

/** Where the keywords stand closest, or, where none stands in the text as it is spelt, its beginning. */
export function excerptOf(text: string, question: Pick<StructuredQuestion, 'keywords' | 'queryText'>): Excerpt {
  const small = text.toLowerCase()
  // Some letters are longer in small; places in that text would be wrong in this one.
  const searched = small.length === text.length ? small : text
  const places = wordsOf(question).flatMap((spellings, word) => placesOf(searched, spellings, word))
  const best = densest(places.toSorted((left, right) => left.at - right.at))
  return cut(text, best === undefined ? 0 : Math.max(0, best - LEAD))
}

/** Each word in the ways it may be spelt in a text: whole, or else by its tokens. */
function wordsOf({ keywords, queryText = '' }: Pick<StructuredQuestion, 'keywords' | 'queryText'>): string[][] {
  if (keywords.length > 0) return keywords.map(({ text, tokens }) => [text.toLowerCase(), ...tokens])
  // One letter, or one Chinese character, stands everywhere.
  const words = new Set(tokenize(queryText).filter((token) => [...token].length > 1))
  return [...words].slice(0, WORDS_LIMIT).map((token) => [token])
}

function placesOf(text: string, [whole = '', ...tokens]: readonly string[], word: number): Place[] {
  const exact = findAll(text, whole)
  const found = exact.length > 0 ? exact : tokens.flatMap((token) => findAll(text, token))
  return found.map((at) => ({ at, word }))
}

function findAll(text: string, spelling: string): number[] {
  const found: number[] = []
  if (spelling === '') return found
  for (let at = text.indexOf(spelling); at >= 0 && found.length < PLACES_LIMIT; at = text.indexOf(spelling, at + 1)) {
    found.push(at)
  }
  return found
}

/** The place from which an excerpt's length holds most different words; of equal ones the closest, then the first. */
function densest(places: readonly Place[]): number | undefined {
  const inside = new Map<number, number>()
  let best: { readonly at: number; readonly words: number; readonly width: number } | undefined
  let end = 0
  for (const { at, word } of places) {
    while (end < places.length && places[end]!.at - at < LENGTH - LEAD) {
      const entering = places[end++]!
      inside.set(entering.word, (inside.get(entering.word) ?? 0) + 1)
    }
    const width = places[end - 1]!.at - at
    const words = inside.size
    if (best === undefined || words > best.words || (words === best.words && words > 1 && width < best.width)) {
      best = { at, words, width }
    }
    const left = inside.get(word)! - 1
    if (left === 0) inside.delete(word)
    else inside.set(word, left)
  }
  return best?.at
}

function cut(text: string, from: number): Excerpt {
  // The end of a text is shown with what stands before it.
  const begin = graphemeBoundary(text, Math.max(0, Math.min(from, text.length - LENGTH)))
  const start = begin + (text.slice(begin, begin + LENGTH).match(/^\s+/)?.[0].length ?? 0)
  const end = graphemeBoundary(text, Math.min(text.length, start + LENGTH), start)
  const shown = text.slice(start, end).trimEnd()
  return { text: shown, start, end: start + shown.length }
}
