import { cutHard } from './cut-hard.ts'
import type { Gauge } from './gauge.ts'
import { overlapBefore } from './overlap.ts'
import type { Lead } from './overlap.ts'
import { adjoins, trimSpan } from './span.ts'
import type { Part, Span } from './span.ts'
import type { Unit } from './unit.ts'

/** Share of a chunk that items of a long list fill: a question about one code should not meet twenty others. */
const LIST_SHARE = 1 / 4
/** A handful: so many items of a long list at most, however short they are. */
const MAX_LISTED_ITEMS = 5

/**
 * Packs units in order into parts that fit a chunk. Each part is one slice of the text; a part of running text begins
 * with the end of the part before it, as far as `overlap` (a load) and the room allow.
 */
export function packUnits(text: string, units: readonly Unit[], gauge: Gauge, overlap: number): Part[] {
  const parts: Part[] = []
  let next = 0
  let lead: Lead | null = null
  while (next < units.length) {
    const taken = settle(text, units, { gauge, next, lead })
    for (const span of taken.spans) {
      const page = taken.page === undefined ? {} : { page: taken.page }
      // Blanks only, or blanks behind what was repeated of the part before: nothing new.
      if (span.start < span.end && span.end > (parts.at(-1)?.end ?? -1)) parts.push({ ...span, ...page })
    }
    const packed = units.slice(next, next + taken.count)
    next += taken.count
    const following = units[next]
    lead = following === undefined ? null : overlapBefore(text, packed, following, { gauge, overlap })
  }
  return parts
}

interface Packing {
  readonly gauge: Gauge
  readonly next: number
  readonly lead: Lead | null
}

interface Taken {
  readonly spans: readonly Span[]
  readonly count: number
  readonly page: number | undefined
}

/** Takes what fits by the sum of loads, then gives back until it fits by the exact count. */
function settle(text: string, units: readonly Unit[], packing: Packing): Taken {
  const first = units[packing.next]!
  let lead = packing.lead !== null && packing.lead.load + first.load <= 1 ? packing.lead : null
  let count = countThatFits(text, units, packing.next, lead?.load ?? 0)
  for (let step = 1; ; step *= 2) {
    const whole = { start: lead?.start ?? first.start, end: units[packing.next + count - 1]!.end }
    const page = lead?.page ?? first.page
    const span = trimSpan(text, whole, first.kind === 'code')
    if (packing.gauge.exactLoad(text.slice(span.start, span.end)) <= 1) return { spans: [span], count, page }
    if (lead === null && count === 1) {
      const windows = cutHard(text, span, packing.gauge).map((window) => trimSpan(text, window))
      return { spans: windows, count, page }
    }
    if (lead === null) count = Math.max(1, count - step)
    lead = null
  }
}

function countThatFits(text: string, units: readonly Unit[], next: number, leadLoad: number): number {
  let load = leadLoad
  let listed = 0
  let count = 0
  for (let index = next; index < units.length; index++) {
    const unit = units[index]!
    load += unit.load
    if (unit.enumerated) listed++
    if (count > 0) {
      const before = units[index - 1]!
      const leavesList = before.enumerated && !unit.enumerated
      if (load > (listed > 0 ? LIST_SHARE : 1) || listed > MAX_LISTED_ITEMS || leavesList) break
      if (!adjoins(text, before, unit)) break
    }
    count++
  }
  return count
}
