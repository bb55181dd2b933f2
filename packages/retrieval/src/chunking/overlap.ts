import { cutAt } from './cut-at.ts'
import type { CutLevel } from './cut-at.ts'
import type { Gauge } from './gauge.ts'
import { adjoins } from './span.ts'
import type { Span } from './span.ts'
import type { WeighedSpan } from './split-span.ts'
import type { Unit } from './unit.ts'

export interface Lead extends WeighedSpan {
  readonly page?: number
}

export interface OverlapRule {
  readonly gauge: Gauge
  /** Load that is repeated at most. */
  readonly overlap: number
}

/**
 * What the next chunk repeats of the one before: the last sentences of its running text that keep within `overlap`,
 * or its last words where no whole sentence does. Null between anything but paragraphs.
 */
export function overlapBefore(text: string, packed: readonly Unit[], following: Unit, rule: OverlapRule): Lead | null {
  const last = packed.at(-1)!
  if (rule.overlap === 0 || following.kind !== 'paragraph' || last.kind !== 'paragraph') return null
  if (!adjoins(text, last, following)) return null
  const tail = { start: runningTextStart(text, packed), end: last.end }
  const lead = lastPieces(text, tail, 'sentence', rule) ?? lastPieces(text, tail, 'word', rule)
  const page = lead === null ? undefined : packed.find((unit) => unit.end > lead.start)?.page
  return lead === null || page === undefined ? lead : { ...lead, page }
}

function runningTextStart(text: string, packed: readonly Unit[]): number {
  let index = packed.length - 1
  while (index > 0 && packed[index - 1]!.kind === 'paragraph' && adjoins(text, packed[index - 1]!, packed[index]!)) {
    index--
  }
  return packed[index]!.start
}

function lastPieces(text: string, tail: Span, level: CutLevel, rule: OverlapRule): WeighedSpan | null {
  let load = 0
  let start = tail.end
  for (const piece of cutAt(text, tail, level).toReversed()) {
    const more = rule.gauge.load(text.slice(piece.start, piece.end))
    if (load + more > rule.overlap) break
    load += more
    start = piece.start
  }
  return start === tail.end ? null : { start, end: tail.end, load }
}
