import stringWidth from 'string-width'
import { cutColumns, padColumns, printable } from './terminal.ts'

export interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
  /** Longer cells are cut to so many terminal columns. */
  readonly max?: number
}

/** A plain table with a header line; widths count Chinese characters as two columns. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) =>
    columns.map((column, index) => cutColumns(printable(row[index] ?? ''), column.max ?? Number.POSITIVE_INFINITY))
  )
  const widths = columns.map((column, index) =>
    Math.max(stringWidth(column.title), ...cells.map((row) => stringWidth(row[index] ?? '')))
  )
  const line = (row: readonly string[]) =>
    columns
      .map((column, index) =>
        padColumns(row[index] ?? '', widths[index] ?? 0, column.align === 'right' ? 'left' : 'right')
      )
      .join('  ')
      .trimEnd()
  return [line(columns.map((column) => column.title)), ...cells.map(line)].join('\n')
}
