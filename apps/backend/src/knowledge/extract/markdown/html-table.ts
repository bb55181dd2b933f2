/** Bounds for spans that a hostile table may claim. */
const maxSpan = 100
const maxColumns = 200

/**
 * An HTML table as a Markdown table; a cell that spans rows is repeated in each, so that every row can be read alone.
 * Inline markup inside cells is left to the Markdown parser. Nothing when there are no cells.
 */
export function htmlTableToMarkdown(html: string): string | undefined {
  const rows = [...html.replace(/<!--[\s\S]*?-->/g, '').matchAll(/<tr[\s>]([\s\S]*?)(?=<\/tr\s*>|<tr[\s>]|<\/table)/gi)]
  const carried = new Map<number, { text: string; rows: number }>()
  const grid = rows.map((row) => layOut(`<tr ${row[1]!}`, carried)).filter((cells) => cells.some((cell) => cell !== ''))
  const columns = Math.max(0, ...grid.map((cells) => cells.length))
  if (columns === 0) return undefined

  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, column) => cells[column] ?? '').join(' | ')} |`
  const [header, ...body] = grid
  return [line(header!), line(Array.from({ length: columns }, () => '---')), ...body.map(line)].join('\n')
}

/** Cells of one row in their columns, with those that reach down from above. */
function layOut(row: string, carried: Map<number, { text: string; rows: number }>): readonly string[] {
  const cells: string[] = []
  const takeCarried = (): void => {
    for (let above = carried.get(cells.length); above !== undefined; above = carried.get(cells.length)) {
      if (--above.rows <= 0) carried.delete(cells.length)
      cells.push(above.text)
    }
  }
  for (const cell of row.matchAll(/<t[dh]((?:\s[^>]*)?)>([\s\S]*?)(?=<\/t[dh]\s*>|<t[dh][\s>]|$)/gi)) {
    takeCarried()
    const text = cellText(cell[2]!)
    const below = span(cell[1]!, 'rowspan') - 1
    for (let across = span(cell[1]!, 'colspan'); across > 0 && cells.length < maxColumns; across--) {
      if (below > 0) carried.set(cells.length, { text, rows: below })
      cells.push(text)
    }
  }
  takeCarried()
  return cells
}

function cellText(html: string): string {
  return html
    .replace(/<\/?(?:p|div|li|ul|ol|br|pre)(?:\s[^>]*)?\/?>/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|')
    .trim()
}

function span(attributes: string, name: string): number {
  const value = Number(new RegExp(`${name}\\s*=\\s*["']?(\\d+)`, 'i').exec(attributes)?.[1] ?? 1)
  return Math.min(Math.max(value, 1), maxSpan)
}
