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

/**
 * Cuts a table that does not fit one chunk between its rows. The first part is a plain slice with the header in it,
 * each further one has the header before its slice. A row that alone is too long is cut like text.
 */
export function cutTable(text: string, table: TableBlock, gauge: Gauge): Part[] {
  const headerText = text.slice(table.header.start, table.header.end).trim()
  const bodyStart = table.rows[0]?.start ?? table.end
  const introLoad = gauge.load(text.slice(table.start, bodyStart))
  const headerLoad = headerText === '' ? 0 : gauge.load(`${headerText}\n`)
  const repeats = Math.max(introLoad, headerLoad) <= MAX_HEADER_SHARE
  const page = table.page === undefined ? {} : { page: table.page }

  const rule = { gauge, levels: LEVELS, ceiling: 1 }
  const intro = repeats ? [] : splitSpan(text, { start: table.start, end: bodyStart }, rule)
  const free = repeats ? 1 - Math.max(introLoad, headerLoad) : 1
  const rows = rowSpans(table).flatMap((row) => splitSpan(text, row, { ...rule, ceiling: free }))
  const header = repeats && headerText !== '' ? { text: headerText, load: headerLoad } : null
  const body = packRows(text, rows, { gauge, header, start: repeats ? table.start : bodyStart })
  return [...intro.map((span) => trimSpan(text, span)), ...body]
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
  /** Where the first part begins: at the table, if its header is to be part of that slice. */
  readonly start: number
}

function packRows(text: string, rows: readonly WeighedSpan[], packing: RowPacking): Part[] {
  const parts: Part[] = []
  let next = 0
  while (next < rows.length) {
    const start = next === 0 ? packing.start : rows[next]!.start
    const header = next === 0 || packing.header === null ? undefined : packing.header.text
    let count = rowsThatFit(rows, next, packing.header?.load ?? 0)
    let part = partOf(text, { start, end: rows[next + count - 1]!.end }, header)
    while (count > 1 && packing.gauge.exactLoad(contentOf(text, part)) > 1) {
      count = Math.ceil(count / 2)
      part = partOf(text, { start, end: rows[next + count - 1]!.end }, header)
    }
    // One row that the exact count finds too long by a token: its header goes first, then it is cut.
    if (packing.gauge.exactLoad(contentOf(text, part)) <= 1) parts.push(part)
    else parts.push(...cutHard(text, part, packing.gauge).map((span) => trimSpan(text, span)))
    next += count
  }
  return parts
}

function rowsThatFit(rows: readonly WeighedSpan[], next: number, headerLoad: number): number {
  let load = headerLoad
  let count = 0
  for (let index = next; index < rows.length; index++) {
    load += rows[index]!.load
    if (count > 0 && load > TABLE_SHARE) break
    count++
  }
  return count
}

function partOf(text: string, span: Span, header: string | undefined): Part {
  const trimmed = trimSpan(text, span)
  return header === undefined ? trimmed : { ...trimmed, header }
}
