import { graphemeBoundary, graphemeEnd } from '../graphemes/index.ts'
import { MAX_CHUNK_CHARACTERS } from './gauge.ts'
import type { Gauge } from './gauge.ts'
import type { Span } from './span.ts'

/** UTF-16 units tried first; about one chunk of the default size. */
const FIRST_PROBE = 1_024
/** A window this full is not worth another count. */
const FULL_ENOUGH = 0.98
/** UTF-16 units; what goes on longer without a boundary is no character that anyone reads, and may be cut inside. */
const LONGEST_GRAPHEME = 256
/** Counts spent on one window before a fitting one is taken as it is. */
const MAX_PROBES = 12

/**
 * Cuts a span that has no better place to cut into windows of at most `ceiling` load, each as long as it can be,
 * between graphemes. One grapheme may exceed the load; only one that alone exceeds the bound is cut, between code points.
 */
export function cutHard(text: string, span: Span, gauge: Gauge, ceiling = 1): Span[] {
  const windows: Span[] = []
  let start = span.start
  let probe = FIRST_PROBE
  while (start < span.end) {
    const end = windowEnd(text, { start, end: span.end }, { gauge, ceiling, probe })
    windows.push({ start, end })
    probe = end - start
    start = end
  }
  return windows
}

export interface WindowSearch {
  readonly gauge: Gauge
  readonly ceiling: number
  /** Length to try first: that of the window before. */
  readonly probe: number
}

/** End of the longest window from the span's start that keeps below the ceiling; always past the start. */
export function windowEnd(text: string, span: Span, search: WindowSearch): number {
  const length = longestFit(text, span, search)
  const boundary = graphemeBoundary(text, span.start + length, span.start)
  if (boundary > span.start) return Math.min(boundary, span.end)
  const end = Math.min(graphemeEnd(text, span.start, LONGEST_GRAPHEME), span.end)
  if (end - span.start < LONGEST_GRAPHEME && search.gauge.withinBound(text.slice(span.start, end))) return end
  return span.start + wholeCodePoints(text, span.start, length)
}

/** Loads are nearly proportional to length, so the next length to try is read off the last one. */
function longestFit(text: string, span: Span, search: WindowSearch): number {
  const { gauge, ceiling } = search
  let fits = 0
  let tooLong = Math.min(span.end - span.start, MAX_CHUNK_CHARACTERS) + 1
  let probe = Math.min(search.probe, tooLong - 1)
  for (let probes = 0; tooLong - fits > 1; probes++) {
    const load = gauge.exactLoad(text.slice(span.start, span.start + probe)) / ceiling
    if (load <= 1) fits = probe
    else tooLong = probe
    if (fits > 0 && ((fits === probe && load >= FULL_ENOUGH) || probes >= MAX_PROBES)) break
    const proportional = Math.floor(probe / load)
    const between = proportional > fits && proportional < tooLong && probes < MAX_PROBES / 2
    probe = between ? proportional : Math.ceil((fits + tooLong) / 2)
    if (probe >= tooLong) probe = tooLong - 1
  }
  return fits
}

function wholeCodePoints(text: string, start: number, length: number): number {
  const first = text.codePointAt(start)! > 0xffff ? 2 : 1
  if (length <= first) return first
  const splitsPair = text.codePointAt(start + length - 1)! > 0xffff
  return splitsPair ? length - 1 : length
}
