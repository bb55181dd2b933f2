import { type LinePiece, onOneLine } from './text-lines.ts'

/** Fewer rows than this side by side are a caption or a form, not two columns of prose. */
const leastRows = 5
/** Prose fills its column; cells of a table do not. */
const leastFill = 0.8
const leastMedianLength = 20

/**
 * Pieces in reading order. Most files draw a column to its end, and their order is kept. Where a file draws across
 * two columns line by line, the left column is put before the right one, between lines that cross both.
 */
export function inReadingOrder(pieces: readonly LinePiece[]): readonly LinePiece[] {
  const gutter = findGutter(pieces)
  if (gutter === undefined) return pieces
  const ordered: LinePiece[] = []
  let left: LinePiece[] = []
  let right: LinePiece[] = []
  for (const piece of pieces) {
    if (piece.end <= gutter) left.push(piece)
    else if (piece.start >= gutter) right.push(piece)
    else {
      ordered.push(...left, ...right, piece)
      left = []
      right = []
    }
  }
  return [...ordered, ...left, ...right]
}

/** A position that many lines leave free between two long pieces; nothing when the page is not drawn across columns. */
function findGutter(pieces: readonly LinePiece[]): number | undefined {
  const rows = pieces.flatMap((piece, index) => {
    const next = pieces[index + 1]
    return next !== undefined && onOneLine(piece, next) && next.start > piece.end ? [{ left: piece, right: next }] : []
  })
  if (rows.length < leastRows) return undefined
  const gutter = (median(rows.map((row) => row.left.end)) + median(rows.map((row) => row.right.start))) / 2
  const beside = rows.filter((row) => row.left.end <= gutter && row.right.start >= gutter)
  if (beside.length < Math.max(leastRows, rows.length / 2)) return undefined
  return [beside.map((row) => row.left), beside.map((row) => row.right)].every(isProse) ? gutter : undefined
}

function isProse(column: readonly LinePiece[]): boolean {
  const widths = column.map((piece) => piece.end - piece.start)
  return (
    median(widths) >= Math.max(...widths) * leastFill &&
    median(column.map((piece) => piece.text.length)) >= leastMedianLength
  )
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
