import { type SpanningCell, layOutRows } from '../table-grid.ts'

/**
 * An HTML table as a Markdown table; a cell that spans rows is repeated in each, so that every row can be read alone.
 * Inline markup inside cells is left to the Markdown parser. Nothing when there are no cells.
 */
export function htmlTableToMarkdown(html: string): string | undefined {
  const rows = [...html.replace(/<!--[\s\S]*?-->/g, '').matchAll(/<tr[\s>]([\s\S]*?)(?=<\/tr\s*>|<tr[\s>]|<\/table)/gi)]
  const grid = [...layOutRows(rows.map((row) => readCells(`<tr ${row[1]!}`)))].filter((cells) =>
    cells.some((cell) => cell !== '')
  )
  const columns = Math.max(0, ...grid.map((cells) => cells.length))
  if (columns === 0) return undefined

  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, column) => cells[column] ?? '').join(' | ')} |`
  const [header, ...body] = grid
  return [line(header!), line(Array.from({ length: columns }, () => '---')), ...body.map(line)].join('\n')
}

function readCells(row: string): readonly SpanningCell[] {
  const cells = row.matchAll(/<t[dh]((?:\s[^>]*)?)>([\s\S]*?)(?=<\/t[dh]\s*>|<t[dh][\s>]|$)/gi)
  return Array.from(cells, ([, attributes, content]) => ({
    text: cellText(content!),
    rowspan: span(attributes!, 'rowspan'),
    colspan: span(attributes!, 'colspan')
  }))
}

function cellText(html: string): string {
  return html
    .replace(/<\/?(?:p|div|li|ul|ol|br|pre)(?:\s[^>]*)?\/?>/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|')
    .trim()
}

function span(attributes: string, name: string): number {
  return Number(new RegExp(`${name}\\s*=\\s*["']?(\\d+)`, 'i').exec(attributes)?.[1] ?? 1)
}
