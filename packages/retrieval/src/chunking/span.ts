import { extendsGrapheme } from '../graphemes/index.ts'

/** A stretch of the document's text, UTF-16 units, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What becomes one chunk. `header` stands before the slice where a table was cut. */
export interface Part extends Span {
  readonly page?: number
  readonly header?: string
}

const NOT_SPACE = /\S/
const LETTER = /\p{L}/u

/**
 * The span without white space at its ends; empty when there is nothing else.
 * @param keepIndent leaves the indentation of the first line that is not blank: code means something by it
 */
export function trimSpan(text: string, span: Span, keepIndent = false): Span {
  let { start, end } = span
  while (end > start && !NOT_SPACE.test(text[end - 1]!)) end--
  let lineStart = start
  while (start < end && !NOT_SPACE.test(text[start]!) && !extendsGrapheme(text, start + 1)) {
    start++
    if (text[start - 1] === '\n') lineStart = start
  }
  return { start: keepIndent && start < end ? lineStart : start, end }
}

/**
 * True when one slice may hold both spans. What lies between blocks is never searched, so only markup may lie there:
 * white space, list markers, rules; anything with a letter (a comment, an import line) keeps them apart.
 */
export function adjoins(text: string, left: Span, right: Span): boolean {
  return right.start <= left.end || !LETTER.test(text.slice(left.end, right.start))
}

/** Content of a chunk as the reader and the searched text get it. */
export function contentOf(text: string, part: Part): string {
  const slice = text.slice(part.start, part.end)
  return part.header === undefined ? slice : `${part.header}\n${slice}`
}
