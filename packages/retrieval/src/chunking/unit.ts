import type { BodyBlock } from './section.ts'
import type { CutLevel } from './cut-at.ts'
import type { Gauge } from './gauge.ts'
import { adjoins, trimSpan } from './span.ts'
import { splitSpan } from './split-span.ts'
import type { WeighedSpan } from './split-span.ts'

/** What is packed into chunks: a whole block, or a piece of one that alone exceeds a chunk. */
export interface Unit extends WeighedSpan {
  readonly kind: BodyBlock['kind']
  readonly page?: number
  /** A whole item of a long list: see `LONG_LIST_ITEMS`. */
  readonly enumerated: boolean
}

const CUT_LEVELS: Readonly<Record<BodyBlock['kind'], readonly CutLevel[]>> = {
  paragraph: ['sentence', 'line', 'word'],
  'list-item': ['line', 'sentence', 'word'],
  code: ['line', 'word'],
  table: ['line', 'word']
}

/**
 * A list of more items than this enumerates (error codes, settings) rather than tells steps. Its chunks are kept small,
 * because each item is an answer of its own.
 */
export const LONG_LIST_ITEMS = 12

/** The units of neighbouring blocks, in order; they cover all of the blocks' text but white space. */
export function unitsOf(text: string, blocks: readonly BodyBlock[], gauge: Gauge): Unit[] {
  const split = blocks.map((block) => splitBlock(text, block, gauge))
  const enumerated = enumeratedBlocks(text, blocks)
  return split.flatMap((units, index) => {
    const isWholeItem = units.length === 1 && enumerated.has(index)
    return units.map((unit) => Object.assign(unit, { enumerated: isWholeItem }))
  })
}

function splitBlock(text: string, block: BodyBlock, gauge: Gauge): Omit<Unit, 'enumerated'>[] {
  const span = trimSpan(text, block, block.kind === 'code')
  const pieces = splitSpan(text, span, { gauge, levels: CUT_LEVELS[block.kind], ceiling: 1 })
  const page = block.page === undefined ? {} : { page: block.page }
  return pieces.map((piece) => ({ ...piece, kind: block.kind, ...page }))
}

/** Indexes of the items of long lists. */
function enumeratedBlocks(text: string, blocks: readonly BodyBlock[]): Set<number> {
  const found = new Set<number>()
  let first = 0
  while (first < blocks.length) {
    let end = first + 1
    while (end < blocks.length && isSameList(text, blocks[end - 1]!, blocks[end]!)) end++
    const isLong = end - first > LONG_LIST_ITEMS
    if (blocks[first]!.kind === 'list-item' && isLong) for (let index = first; index < end; index++) found.add(index)
    first = end
  }
  return found
}

function isSameList(text: string, left: BodyBlock, right: BodyBlock): boolean {
  return left.kind === 'list-item' && right.kind === 'list-item' && adjoins(text, left, right)
}
