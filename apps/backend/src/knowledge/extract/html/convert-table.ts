import type { Table } from 'mdast'
import { tooLarge } from '../../unreadable.ts'
import { type SpanningCell, layOutRows } from '../table-grid.ts'
import { type HtmlElement, attributeOf, elementsBelow, isElement, isUnread } from './html-tree.ts'

/** A cell's share of a table row besides its text: ` | `. */
const cellMarks = 3

/** One row as it stands in the source. */
export interface HtmlRow {
  readonly inHead: boolean
  readonly cells: readonly HtmlElement[]
}

/** Rows of a table, without those of tables inside it. */
export function rowsOf(table: HtmlElement): readonly HtmlRow[] {
  return visibleChildren(table).flatMap((part) => {
    if (part.tagName === 'tr') return [{ inHead: false, cells: cellsOf(part) }]
    if (!/^t(?:head|body|foot)$/.test(part.tagName)) return []
    return visibleChildren(part)
      .filter(({ tagName }) => tagName === 'tr')
      .map((row) => ({ inHead: part.tagName === 'thead', cells: cellsOf(row) }))
  })
}

/**
 * True for a table that only places things on a page: it says so, holds tables, headings or a lone listing, or has one
 * column without a header. What is in its cells is read as blocks.
 */
export function isLayout(table: HtmlElement, rows: readonly HtmlRow[]): boolean {
  const role = attributeOf(table, 'role')
  if (role === 'presentation' || role === 'none') return true
  const cells = rows.flatMap((row) => row.cells)
  if (rows.every((row) => row.cells.length <= 1) && !cells.some(({ tagName }) => tagName === 'th')) return true
  return cells.some((cell) => {
    for (const { tagName } of elementsBelow(cell)) if (/^(?:table|h[1-6])$/.test(tagName)) return true
    return false
  })
}

/** What a table is made with. */
export interface TableContext {
  readonly name: string
  readonly maxCharacters: number
  /** A cell's content on one line. */
  readonly cellText: (cell: HtmlElement) => string
}

/**
 * A table of data: its first row, or all rows of its head made one, is the header. Nothing when no cell has text.
 * @throws AppError PAYLOAD_TOO_LARGE when repeated cells make it larger than a document may be
 */
export function convertTable(rows: readonly HtmlRow[], context: TableContext): Table | undefined {
  const heads = rows.filter((row) => row.inHead).length
  const spanning = rows.map((row): readonly SpanningCell[] =>
    row.cells.map((cell) => ({
      text: context.cellText(cell),
      rowspan: Number(attributeOf(cell, 'rowspan') ?? 1),
      colspan: Number(attributeOf(cell, 'colspan') ?? 1)
    }))
  )
  const grid: (readonly string[])[] = []
  let characters = 0
  for (const cells of layOutRows(spanning)) {
    characters += cells.reduce((sum, cell) => sum + cell.length + cellMarks, 0)
    if (characters > context.maxCharacters)
      throw tooLarge(context.name, 'characters of text', context.maxCharacters, characters)
    grid.push(cells)
  }
  const header = mergeHeads(grid.slice(0, Math.max(heads, 1)))
  const lines = [header, ...grid.slice(Math.max(heads, 1))].filter((cells) => cells.some((cell) => cell !== ''))
  const columns = lines.reduce((most, cells) => Math.max(most, cells.length), 0)
  if (columns === 0) return undefined
  return {
    type: 'table',
    children: lines.map((cells) => ({
      type: 'tableRow',
      children: Array.from({ length: columns }, (_, column) => ({
        type: 'tableCell',
        children: [{ type: 'text', value: cells[column] ?? '' }]
      }))
    }))
  }
}

/** Several header rows as one: the different words of each column, from top to bottom. */
function mergeHeads(heads: readonly (readonly string[])[]): readonly string[] {
  const columns = heads.reduce((most, cells) => Math.max(most, cells.length), 0)
  return Array.from({ length: columns }, (_, column) => [...new Set(heads.map((cells) => cells[column] ?? ''))]).map(
    (words) => words.join(' ').trim()
  )
}

function cellsOf(row: HtmlElement): readonly HtmlElement[] {
  return visibleChildren(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th')
}

function visibleChildren(element: HtmlElement): readonly HtmlElement[] {
  return element.childNodes.filter(isElement).filter((child) => !isUnread(child))
}
