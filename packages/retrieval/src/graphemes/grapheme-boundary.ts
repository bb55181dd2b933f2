// What a reader takes for one character: a letter with its marks, a family of emoji, a flag. The rules depend on no language.
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' })

// The boundary rules look at one code point behind the cut, which takes at most two units.
const LOOK_AHEAD = 2

/**
 * The last grapheme boundary at or before `index`, in UTF-16 units.
 * @param start a boundary of the text at or before `index`; only text from there on is read, so the cost is that of the distance
 */
export function graphemeBoundary(text: string, index: number, start = 0): number {
  if (index >= text.length) return text.length
  if (isBetweenPlainUnits(text, index)) return index
  const window = text.slice(start, index + LOOK_AHEAD)
  const segment = SEGMENTER.segment(window).containing(index - start)
  return start + (segment?.index ?? 0)
}

/** A text cut after its last whole grapheme within `limit` UTF-16 units. */
export function cutAtGrapheme(text: string, limit: number): string {
  return text.slice(0, graphemeBoundary(text, limit))
}

// ASCII combines with nothing but CR before LF; this spares most cuts the segmenter.
function isBetweenPlainUnits(text: string, index: number): boolean {
  if (index === 0) return true
  const before = text.charCodeAt(index - 1)
  const behind = text.charCodeAt(index)
  return before < 0x80 && behind < 0x80 && before !== 0x0d
}

// Marks, joiners, variation selectors and skin tones: they belong to whatever stands before them.
const EXTENDS = /^[\p{M}\p{Emoji_Modifier}\u200c\u200d]/u

/** True when the character at `index` belongs to the grapheme before it, even behind a space or a full stop. */
export function extendsGrapheme(text: string, index: number): boolean {
  return text.charCodeAt(index) >= 0x300 && EXTENDS.test(text.slice(index, index + 2))
}

/** End of the grapheme that begins at `start`, reading at most `limit` UTF-16 units of it. */
export function graphemeEnd(text: string, start: number, limit: number): number {
  const window = text.slice(start, start + limit)
  return start + (SEGMENTER.segment(window).containing(0)?.segment.length ?? 0)
}
