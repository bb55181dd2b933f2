import type { TableBlock } from './block.ts'
import { cutHard } from './cut-hard.ts'
import type { CutLevel } from './cut-at.ts'
import type { Gauge } from './gauge.ts'
import { contentOf, trimSpan } from './span.ts'
import type { Part, Span } from './span.ts'
import { splitSpan } from './split-span.ts'
import type { WeighedSpan } from './split-span.ts'

/** Share of a chunk that the rows of a cut table fill: many rows of one shape blur each other in one vector. */
const TABLE_SHARE = 1 / 2
/** A header that takes more of a chunk than this is text of its own and is not repeated. */
const MAX_HEADER_SHARE = 1 / 4
const LEVELS: readonly CutLevel[] = ['line', 'word']

/** A row, or a piece of one that alone exceeds a chunk. */
interface RowPiece extends WeighedSpan {
  /** Which row it is a piece of; none for a whole row. */
  readonly cutFrom?: number
}

/**
 * Cuts a table that does not fit one chunk between its rows. The first part is a plain slice with the header in it,
 * each further one has the header before its slice, unless that would take much of a chunk. A row or a header that
 * alone is too long is cut like text, and its pieces fill whole chunks.
 */
export function cutTable(text: string, table: TableBlock, gauge: Gauge): Part[] {
  const headerText = text.slice(table.header.start, table.header.end).trim()
  const intro = { start: table.start, end: table.rows[0]?.start ?? table.end }
  const introLoad = gauge.load(text.slice(intro.start, intro.end))
  const headerLoad = headerText === '' ? 0 : gauge.load(`${headerText}\n`)
  const repeats = Math.max(introLoad, headerLoad) <= MAX_HEADER_SHARE
  const page = table.page === undefined ? {} : { page: table.page }

  const ceiling = repeats ? 1 - Math.max(introLoad, headerLoad) : 1
  const rows = (repeats ? rowSpans(table) : [intro, ...rowSpans(table)]).flatMap((row, index): RowPiece[] => {
    const pieces = splitSpan(text, row, { gauge, levels: LEVELS, ceiling })
    return pieces.length === 1 ? pieces : pieces.map((piece) => ({ ...piece, cutFrom: index }))
  })
  const header = repeats && headerText !== '' ? { text: headerText, load: headerLoad } : null
  return packRows(text, rows, { gauge, header, start: table.start })
    .filter((part) => part.start < part.end)
    .map((part) => ({ ...part, ...page }))
}

/** Rows with whatever stands behind them, so that nothing of the block is lost. */
function rowSpans(table: TableBlock): Span[] {
  return table.rows.map((row, index) => ({ start: row.start, end: table.rows[index + 1]?.start ?? table.end }))
}

interface RowPacking {
  readonly gauge: Gauge
  readonly header: { readonly text: string; readonly load: number } | null
  /** Where the first part begins: at the table, so that its header is part of that slice. */
  readonly start: number
}

function packRows(text: string, rows: readonly RowPiece[], packing: RowPacking): Part[] {
  const parts: Part[] = []
  let next = 0
  while (next < rows.length) {
    const start = next === 0 ? packing.start : rows[next]!.start
    const header = next === 0 || packing.header === null ? undefined : packing.header.text
    let count = rowsThatFit(rows, next, packing.header?.load ?? 0)
    let part = partOf(text, { start, end: rows[next + count - 1]!.end }, header)
    for (let step = 1; count > 1 && packing.gauge.exactLoad(contentOf(text, part)) > 1; step *= 2) {
      count = Math.max(1, count - step)
      part = partOf(text, { start, end: rows[next + count - 1]!.end }, header)
    }
    // One row that the exact count finds too long by a token: its header goes first, then it is cut.
    if (packing.gauge.exactLoad(contentOf(text, part)) <= 1) parts.push(part)
    else parts.push(...cutHard(text, part, packing.gauge).map((span) => trimSpan(text, span)))
    next += count
  }
  return parts
}

/** Whole rows up to their share of a chunk, or pieces of one row up to a whole chunk. */
function rowsThatFit(rows: readonly RowPiece[], next: number, headerLoad: number): number {
  const { cutFrom } = rows[next]!
  let load = headerLoad
  let count = 0
  for (let index = next; index < rows.length; index++) {
    const row = rows[index]!
    load += row.load
    const isSameRow = cutFrom !== undefined && row.cutFrom === cutFrom
    if (count > 0 && load > (isSameRow ? 1 : TABLE_SHARE)) break
    count++
  }
  return count
}

function partOf(text: string, span: Span, header: string | undefined): Part {
  const trimmed = trimSpan(text, span)
  return header === undefined ? trimmed : { ...trimmed, header }
}
