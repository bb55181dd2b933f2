import { cutAt } from './cut-at.ts'
import type { CutLevel } from './cut-at.ts'
import { cutHard } from './cut-hard.ts'
import type { Gauge } from './gauge.ts'
import type { Span } from './span.ts'

export interface WeighedSpan extends Span {
  readonly load: number
}

export interface SplitRule {
  readonly gauge: Gauge
  /** Tried in turn on what is still too long; behind the last one only graphemes are left. */
  readonly levels: readonly CutLevel[]
  /** Load that no piece exceeds. */
  readonly ceiling: number
}

/** A span whole if it fits, else in the largest pieces that do; they cover it without gaps. */
export function splitSpan(text: string, span: Span, rule: SplitRule): WeighedSpan[] {
  const load = rule.gauge.load(text.slice(span.start, span.end))
  if (load <= rule.ceiling) return [{ start: span.start, end: span.end, load }]
  const [level, ...finer] = rule.levels
  if (level === undefined) {
    const windows = cutHard(text, span, rule.gauge, rule.ceiling)
    return windows.map(({ start, end }) => ({ start, end, load: rule.gauge.load(text.slice(start, end)) }))
  }
  return cutAt(text, span, level).flatMap((piece) => splitSpan(text, piece, { ...rule, levels: finer }))
}
