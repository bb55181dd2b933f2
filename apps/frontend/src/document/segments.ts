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

export type Span = Pick<DocumentChunk, 'start' | 'end'>

/**
 * Cuts a text at every border of its chunks (UTF-16 units, in order of `start`). The segments in order are the text
 * again, whatever the spans say: one beyond the end is cut off.
 * @param also a span whose ends are borders too
 */
export function segmentsOf(text: string, chunks: readonly Span[], also?: Span): readonly Segment[] {
  const clip = (at: number): number => Math.min(Math.max(at, 0), text.length)
  const spans = also === undefined ? chunks : [...chunks, also]
  const borders = new Set([0, text.length, ...spans.flatMap(({ start, end }) => [clip(start), clip(end)])])
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

/** UTF-16 units after which a block of text ends at the next end of line: some screens full. */
const BLOCK_UNITS = 4_000

/**
 * Gathers segments into blocks that a browser lays out one by one. A block ends behind a line end, where a block of the
 * page ends a line as well; a segment across that place is cut there. In order, the blocks are the text again.
 */
export function blocksOf(segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const blocks: Segment[][] = []
  let block: Segment[] = []
  let units = 0
  for (let rest of segments) {
    for (;;) {
      const lineEnd = rest.text.indexOf('\n', Math.max(BLOCK_UNITS - units, 0))
      if (lineEnd === -1) break
      block.push({ ...rest, text: rest.text.slice(0, lineEnd + 1) })
      blocks.push(block)
      rest = { ...rest, start: rest.start + lineEnd + 1, text: rest.text.slice(lineEnd + 1) }
      block = []
      units = 0
    }
    if (rest.text === '') continue
    block.push(rest)
    units += rest.text.length
  }
  return block.length === 0 ? blocks : [...blocks, block]
}

/** Of a chosen span, what lies in a block; null where they do not meet, so that such a block stays as it is. */
export function spanWithin(block: readonly Segment[], span: Span | undefined): Span | null {
  const last = block.at(-1)
  if (span === undefined || last === undefined) return null
  const start = Math.max(span.start, block[0]!.start)
  const end = Math.min(span.end, last.start + last.text.length)
  return start < end ? { start, end } : null
}
