import type { DocumentChunk } from '@oncall-agent/api-contracts'

/** A piece of the text between two borders of chunks. */
export interface Segment {
  readonly start: number
  readonly text: string
  /** Index of the first chunk that covers it; null between chunks. */
  readonly chunk: number | null
  /** Chunks that cover it; more than one where they overlap. */
  readonly covers: number
}

type Span = Pick<DocumentChunk, 'start' | 'end'>

/**
 * Cuts a text at every border of its chunks (UTF-16 units, in order of `start`). The segments in order are the text
 * again, whatever the spans say: one beyond the end is cut off.
 */
export function segmentsOf(text: string, chunks: readonly Span[]): readonly Segment[] {
  const clip = (at: number): number => Math.min(Math.max(at, 0), text.length)
  const borders = new Set([0, text.length, ...chunks.flatMap(({ start, end }) => [clip(start), clip(end)])])
  const cuts = [...borders].toSorted((a, b) => a - b)
  const segments: Segment[] = []
  let open: number[] = []
  let next = 0
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    while (next < chunks.length && clip(chunks[next]!.start) <= start) open.push(next++)
    open = open.filter((chunk) => clip(chunks[chunk]!.end) > start)
    segments.push({ start, text: text.slice(start, cuts[index + 1]), chunk: open[0] ?? null, covers: open.length })
  }
  return segments
}
