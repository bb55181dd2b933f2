import { invalidInput, type Page } from '@oncall-agent/api-contracts'

/** Which part of a list, newest first. */
export interface PageRequest {
  readonly limit: number
  /** `nextCursor` of the page before, as it came; absent for the first. */
  readonly cursor?: string | undefined
}

/** Greater than every sequence number. */
const BEYOND_ALL = Number.MAX_SAFE_INTEGER

/**
 * The sequence number that every row of the page lies below.
 * @throws AppError VALIDATION_FAILED when the cursor never came from a page
 */
export function pageStart({ cursor }: PageRequest): number {
  if (cursor === undefined) return BEYOND_ALL
  const sequence = /^[\w-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('latin1') : ''
  if (/^\d{1,15}$/.test(sequence)) return Number(sequence)
  const issue = { field: 'cursor', problem: 'must be the nextCursor of a page, as it came' }
  throw invalidInput([issue], { operation: 'read page' })
}

/**
 * One page of a list.
 * @param rows those below `pageStart`, newest first: one more than the limit, if there are as many
 * @param total how many match on all pages
 */
export function pageOfRows<Row extends { readonly sequence: number }, Item>(
  rows: readonly Row[],
  { limit }: PageRequest,
  total: number,
  toItem: (row: Row) => Item
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor =
    rows.length > limit && last !== undefined ? Buffer.from(String(last.sequence)).toString('base64url') : null
  return { items: shown.map(toItem), nextCursor, total }
}
