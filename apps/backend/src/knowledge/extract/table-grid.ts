/** Bounds for spans that a hostile table may claim. */
const maxSpan = 100
const maxColumns = 200

/** A cell of an HTML table: its text on one line, and the rows and columns that it claims (as written, so unchecked). */
export interface SpanningCell {
  readonly text: string
  readonly rowspan: number
  readonly colspan: number
}

/**
 * Rows of a table with each cell in its columns. A cell that spans rows or columns is repeated in each, so that every
 * row can be read alone. Rows are made one by one: whoever counts them can stop before a hostile table has grown.
 */
export function* layOutRows(rows: Iterable<readonly SpanningCell[]>): Generator<readonly string[]> {
  const carried = new Map<number, { readonly text: string; rows: number }>()
  for (const row of rows) yield layOutRow(row, carried)
}

/** @param carried texts that reach down from rows above, by their column; kept up to date */
function layOutRow(row: readonly SpanningCell[], carried: Map<number, { text: string; rows: number }>): string[] {
  const cells: string[] = []
  const takeCarried = (): void => {
    for (let above = carried.get(cells.length); above !== undefined; above = carried.get(cells.length)) {
      if (--above.rows <= 0) carried.delete(cells.length)
      cells.push(above.text)
    }
  }
  for (const { text, rowspan, colspan } of row) {
    takeCarried()
    const below = boundedSpan(rowspan) - 1
    for (let across = boundedSpan(colspan); across > 0 && cells.length < maxColumns; across--) {
      if (below > 0) carried.set(cells.length, { text, rows: below })
      cells.push(text)
    }
  }
  takeCarried()
  return cells
}

function boundedSpan(claimed: number): number {
  return Math.min(Math.max(Number.isFinite(claimed) ? Math.trunc(claimed) : 1, 1), maxSpan)
}
