import { PortError } from '../ports/index.ts'
import type { ExtractedText } from './block.ts'
import { chunkByRunningText } from './by-running-text.ts'
import { chunkByStructure } from './by-structure.ts'
import type { ChunkOptions, ChunkSlice } from './chunk-options.ts'

/** Below this many tokens a chunk has no room for a title and a sentence. */
const MIN_BOUND = 16

/**
 * Cuts a document into chunks, in reading order. Every character of every block but headings, white space aside, is in
 * some chunk; no chunk's content measures more than `size`, and no chunk's searched text more than `bound.max`.
 * The same document and options give the same chunks. A document of headings only gives none.
 * @throws PortError `invalid-argument`: impossible options, a title that leaves no room, blocks out of order
 */
export function chunkDocument(extracted: ExtractedText, options: ChunkOptions): ChunkSlice[] {
  checkOptions(options)
  checkBlocks(extracted)
  const slices =
    options.strategy === 'markdown' ? chunkByStructure(extracted, options) : chunkByRunningText(extracted, options)
  return slices.map((slice, sequence) => ({ sequence, ...slice }))
}

function checkOptions({ size, overlap, bound }: ChunkOptions): void {
  if (!(size >= 1)) throw invalid('size', 'must be at least 1')
  if (!(overlap >= 0 && overlap < size)) throw invalid('overlap', 'must be at least 0 and less than the size')
  if (!(bound.max >= MIN_BOUND)) throw invalid('bound.max', `must be at least ${MIN_BOUND} tokens`)
}

function checkBlocks({ text, blocks }: ExtractedText): void {
  let reached = 0
  for (const [index, { start, end }] of blocks.entries()) {
    if (!(start >= reached && end >= start && end <= text.length)) {
      throw invalid(`block ${index}`, 'must lie in the text, behind the block before it')
    }
    reached = end
  }
}

function invalid(subject: string, reason: string): PortError {
  return new PortError('invalid-argument', { operation: 'chunk document', subject, reason })
}
