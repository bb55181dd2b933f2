import { z } from 'zod'

/** Items of one page when nothing is asked for, and at most. */
export const PAGE_DEFAULT = 50
export const PAGE_LIMIT = 200
const CURSOR_LIMIT = 500

/** Numbers in an address are text. */
const countFromText = (max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1, 'must be at least 1').max(max, `must be at most ${max}`))
    .default(fallback)
    .meta({ type: 'integer', minimum: 1, maximum: max, description: 'How many items a page has at most.' })

/** What every list takes: how many, and where the page before ended. */
export const pageQuery = {
  limit: countFromText(PAGE_LIMIT, PAGE_DEFAULT),
  cursor: z.string().min(1).max(CURSOR_LIMIT).optional().describe('`nextCursor` of the page before, as it came.')
}

export const pageQuerySchema = z.strictObject(pageQuery).readonly()

/** One page of a list; `nextCursor` is null on the last one, `total` counts all that match. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z
    .object({ items: z.array(item).readonly(), nextCursor: z.string().nullable(), total: z.int().min(0) })
    .readonly()
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
  readonly total: number
}
