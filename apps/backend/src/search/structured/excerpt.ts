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
/** Places of all words of a text, about; each word keeps a few. */
const PLACES_OF_TEXT = 2_000
const FEWEST_PLACES = 5
/** UTF-16 units from a text's beginning in which words are looked for. */
const LOOKED_THROUGH = 200_000
/**
 * Units times spellings that all excerpts of one answer may look through: nothing else runs meanwhile. Ten texts of 200,000
 * units may so be looked through for five, and a hundred texts for a hundred spellings in their first 1,000.
 */
const WORK_LIMIT = 10_000_000
/** Words of a sentence that are looked for, where there are no keywords. */
const WORDS_LIMIT = 50

interface Place {
  readonly at: number
  /** Which of the words. */
  readonly word: number
}

/**
 * Of each text where the keywords stand closest, or, where none stands in what is looked through of it as it is spelt, its
 * beginning. Work is bounded for all of them: what short texts leave of it goes to those behind them.
 */
export function excerptsOf(
  texts: readonly string[],
  question: Pick<StructuredQuestion, 'keywords' | 'queryText'>
): readonly Excerpt[] {
  const words = wordsOf(question)
  const spellings = Math.max(1, words.flat().length)
  let units = Math.floor(WORK_LIMIT / spellings)
  return texts.map((text, at) => {
    const share = Math.min(text.length, LOOKED_THROUGH, Math.floor(units / (texts.length - at)))
    units -= share
    const limit = Math.min(PLACES_LIMIT, Math.max(FEWEST_PLACES, Math.floor(PLACES_OF_TEXT / spellings)))
    return excerptOf(text, words, { share, limit })
  })
}

interface Bounds {
  /** UTF-16 units that are looked through. */
  readonly share: number
  /** Places a spelling. */
  readonly limit: number
}

function excerptOf(text: string, words: readonly (readonly string[])[], { share, limit }: Bounds): Excerpt {
  const whole = text.slice(0, share)
  const small = whole.toLowerCase()
  // Some letters are longer in small; places in that text would be wrong in this one.
  const searched = small.length === whole.length ? small : whole
  const places = words.flatMap((spellings, word) =>
    placesOf(spellings, word, (spelling) => findAll(searched, spelling, limit))
  )
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

function placesOf(
  [whole = '', ...tokens]: readonly string[],
  word: number,
  find: (spelling: string) => readonly number[]
): Place[] {
  const exact = find(whole)
  const found = exact.length > 0 ? exact : tokens.flatMap(find)
  return found.map((at) => ({ at, word }))
}

function findAll(text: string, spelling: string, limit: number): number[] {
  const found: number[] = []
  if (spelling === '') return found
  for (let at = text.indexOf(spelling); at >= 0 && found.length < limit; at = text.indexOf(spelling, at + 1)) {
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
