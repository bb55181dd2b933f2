import { tokenize } from '@oncall-agent/retrieval'

/** Lines of one piece that a person is shown at once: five pieces fill two screens. */
const WINDOW_LINES = 12
/** Characters of one line; a paragraph of a PDF is one line of thousands. */
const WINDOW_CHARACTERS = 480
/** Shown before the first matching word of a line that is cut. */
const LEAD_CHARACTERS = 120

/** What is shown of a piece, and how many lines stand before and after it. */
export interface EvidenceWindow {
  readonly lines: readonly string[]
  readonly above: number
  readonly below: number
  /** True when nothing is missing. */
  readonly whole: boolean
}

/**
 * The lines of a chunk that hold most of the question's words: what was found must be seen, wherever in the chunk it
 * stands. A chunk that fits is shown whole.
 */
export function evidenceWindow(content: string, query: string): EvidenceWindow {
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  const wanted = new Set(tokenize(query))
  const weights = lines.map((line) => weightOf(line, wanted))
  const first = bestStart(weights)
  const shown = lines.slice(first, first + WINDOW_LINES).map((line) => cutAround(line, wanted))
  const below = Math.max(0, lines.length - first - WINDOW_LINES)
  const whole = first === 0 && below === 0 && shown.every((line, index) => line === lines[index])
  return { lines: shown, above: first, below, whole }
}

/** Long tokens are identifiers and words, short ones single characters that are everywhere. */
function weightOf(line: string, wanted: ReadonlySet<string>): number {
  return [...new Set(tokenize(line))].reduce((sum, token) => sum + (wanted.has(token) ? token.length ** 2 : 0), 0)
}

/** Where the window with the most weight begins; of equal ones the first. */
function bestStart(weights: readonly number[]): number {
  const last = Math.max(0, weights.length - WINDOW_LINES)
  const sums = Array.from({ length: last + 1 }, (_, start) =>
    weights.slice(start, start + WINDOW_LINES).reduce((sum, weight) => sum + weight, 0)
  )
  return Math.max(0, sums.indexOf(Math.max(...sums)))
}

/** A part of a long line around the longest of the wanted words. */
function cutAround(line: string, wanted: ReadonlySet<string>): string {
  if (line.length <= WINDOW_CHARACTERS) return line
  const lower = line.toLowerCase()
  const found = [...wanted].filter((token) => lower.includes(token)).toSorted((a, b) => b.length - a.length)[0]
  const wish = Math.max(0, (found === undefined ? 0 : lower.indexOf(found)) - LEAD_CHARACTERS)
  const graphemes = new Intl.Segmenter().segment(line)
  const start = graphemes.containing(wish)?.index ?? 0
  const end = graphemes.containing(start + WINDOW_CHARACTERS)?.index ?? line.length
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`
}
