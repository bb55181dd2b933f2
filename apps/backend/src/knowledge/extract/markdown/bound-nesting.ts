import { proseSegments } from './prose-segments.ts'

/** Levels of lists, and quotes or markers on one line; no writer means more, and a parser's effort grows steeply. */
const maxNesting = 16
const tabWidth = 4
const quoteOrMarker = /(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/y
const blanks = /[ \t]*/y
const thematicBreak = /^[ \t>]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/

interface OpenItem {
  /** Where its marker and its content begin, in columns from 0. */
  readonly marker: number
  readonly content: number
}

/**
 * A Markdown source whose lists are at most 16 levels deep, and that opens at most 16 quotes and items on one line. An
 * item below the last level becomes one of that level, with the lines under it; further markers of a line are dropped.
 * No word is lost. Levels are told by indentation alone, which finds rather too many than too few.
 */
export function boundNesting(source: string): string {
  const lines = new NestedLines()
  return proseSegments(source)
    .map(({ kind, text }) =>
      text
        .split('\n')
        .map((line, index) => (kind === 'fence' && index > 0 ? lines.within(line) : lines.next(line)))
        .join('\n')
    )
    .join('')
}

/** Goes through the lines of a source and remembers which list items are open. */
class NestedLines {
  readonly #open: OpenItem[] = []
  /** Columns that the lines of an item below the last level are moved to the left. */
  #shift = 0
  #afterBlank = true

  next(line: string): string {
    if (line.trim() === '') {
      this.#afterBlank = true
      return line
    }
    const { column, index } = this.#pastQuotes(line)
    const isRule = thematicBreak.test(line)
    const opensItem = !isRule && isMarkerAt(line, index)
    if (opensItem || this.#afterBlank) this.#close(column)
    this.#afterBlank = false
    if (!opensItem) return this.within(isRule ? line : boundPrefix(line))

    const last = this.#open[maxNesting - 1]
    this.#shift = last === undefined ? 0 : column - last.marker
    if (last === undefined) this.#openItems(line, index, column)
    return boundPrefix(dedent(line, index, this.#shift))
  }

  /** A line that opens nothing: it moves with the item that it belongs to. */
  within(line: string): string {
    const last = this.#open[maxNesting - 1]
    if (last === undefined || this.#shift === 0) return line
    const { column, index } = this.#pastQuotes(line)
    return dedent(line, index, Math.min(this.#shift, column - last.content))
  }

  #close(column: number): void {
    while (this.#open.length > 0 && this.#open.at(-1)!.content > column) this.#open.pop()
    if (this.#open.length < maxNesting) this.#shift = 0
  }

  #openItems(line: string, from: number, column: number): void {
    let index = from
    let marker = column
    while (this.#open.length < maxNesting && isMarkerAt(line, index)) {
      const next = pastBlanks(line, quoteOrMarker.lastIndex)
      const content = columnAfter(line, index, next, marker)
      if (line[index] !== '>') this.#open.push({ marker, content: Math.max(content, marker + 2) })
      index = next
      marker = content
    }
  }

  #pastQuotes(line: string): { column: number; index: number } {
    let index = pastBlanks(line, 0)
    while (line[index] === '>') index = pastBlanks(line, index + 1)
    return { column: columnAfter(line, 0, index, 0), index }
  }
}

function isMarkerAt(line: string, index: number): boolean {
  quoteOrMarker.lastIndex = index
  return quoteOrMarker.test(line)
}

function pastBlanks(line: string, index: number): number {
  blanks.lastIndex = index
  blanks.test(line)
  return blanks.lastIndex
}

function columnAfter(line: string, from: number, to: number, column: number): number {
  let reached = column
  for (let at = from; at < to; at++) reached += line[at] === '\t' ? tabWidth - (reached % tabWidth) : 1
  return reached
}

/** Takes up to so many columns of the blanks that stand right before an index. */
function dedent(line: string, index: number, columns: number): string {
  if (columns <= 0) return line
  let start = index
  while (start > 0 && (line[start - 1] === ' ' || line[start - 1] === '\t')) start--
  const before = columnAfter(line, 0, start, 0)
  const width = columnAfter(line, start, index, before) - before
  return line.slice(0, start) + ' '.repeat(Math.max(0, width - columns)) + line.slice(index)
}

/** Without the quote marks and list markers behind the first 16 of a line. */
function boundPrefix(line: string): string {
  let index = pastBlanks(line, 0)
  let kept = index
  for (let count = 0; isMarkerAt(line, index); count++) {
    index = pastBlanks(line, quoteOrMarker.lastIndex)
    if (count < maxNesting) kept = index
  }
  return kept === index ? line : line.slice(0, kept) + line.slice(index)
}
