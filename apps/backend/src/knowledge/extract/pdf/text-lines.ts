import type { TextRun } from './read-page.ts'

/** A piece of a line: whatever stands on one baseline without a wide gap. */
export interface LinePiece {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly baseline: number
  readonly size: number
}

/** In heights of the font: a run further off the baseline is on another line. */
const baselineTolerance = 0.6
/** In heights of the font: a gap this wide is a column's gutter or a table's, not a space. */
const wideGap = 1.5

/** Joins runs in drawing order to pieces of lines. */
export function toLinePieces(runs: readonly TextRun[]): readonly LinePiece[] {
  const pieces: LinePiece[] = []
  let current: TextRun[] = []
  const flush = (): void => {
    const piece = toPiece(current)
    if (piece !== undefined) pieces.push(piece)
    current = []
  }
  for (const run of runs) {
    const last = current.findLast((earlier) => earlier.text.trim() !== '')
    if (last !== undefined && run.text.trim() !== '' && breaksLine(last, run)) flush()
    current.push(run)
    if (run.endsLine) flush()
  }
  flush()
  return pieces
}

export function onOneLine(a: LinePiece, b: LinePiece): boolean {
  return Math.abs(a.baseline - b.baseline) < Math.max(a.size, b.size) * baselineTolerance
}

function breaksLine(last: TextRun, run: TextRun): boolean {
  const size = Math.max(last.size, run.size)
  const gap = run.start - last.end
  return (
    Math.abs(last.baseline - run.baseline) > size * baselineTolerance || gap > size * wideGap || gap < -size * wideGap
  )
}

function toPiece(runs: readonly TextRun[]): LinePiece | undefined {
  const visible = runs.filter((run) => run.text.trim() !== '')
  if (visible.length === 0) return undefined
  const longest = visible.reduce((a, b) => (b.text.length > a.text.length ? b : a))
  return {
    text: runs
      .map((run) => run.text)
      .join('')
      .replace(/\s+/g, ' ')
      .trim(),
    start: Math.min(...visible.map((run) => run.start)),
    end: Math.max(...visible.map((run) => run.end)),
    baseline: longest.baseline,
    size: longest.size
  }
}
