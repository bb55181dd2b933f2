import type { BodyBlock } from './section.ts'
import type { ExtractedText } from './block.ts'
import { adjoins, trimSpan } from './span.ts'
import type { Span } from './span.ts'

/** A stretch of text that may be read straight on: blocks with nothing but markup between them. */
export interface Passage extends Span {
  readonly blocks: readonly BodyBlock[]
}

/**
 * The document as running text, headings included as text: what the strategies that know no structure work on.
 * None when there is nothing but headings.
 */
export function passagesOf(extracted: ExtractedText): Passage[] {
  const { text } = extracted
  const blocks = extracted.blocks.filter((block) => !isBlank(text, block))
  if (blocks.every((block) => block.kind === 'heading')) return []
  const passages: (Span & { blocks: BodyBlock[] })[] = []
  for (const block of blocks) {
    const body: BodyBlock = block.kind === 'heading' ? { ...block, kind: 'paragraph' } : block
    const open = passages.at(-1)
    if (open !== undefined && adjoins(text, open, block)) {
      passages[passages.length - 1] = { start: open.start, end: block.end, blocks: open.blocks }
      open.blocks.push(body)
    } else {
      passages.push({ start: block.start, end: block.end, blocks: [body] })
    }
  }
  return passages
}

/** Page of the block at an offset. */
export function pageAt(passage: Passage, offset: number): { readonly page?: number } {
  let low = 0
  let high = passage.blocks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (passage.blocks[middle]!.end > offset) high = middle
    else low = middle + 1
  }
  const page = passage.blocks[low]?.page
  return page === undefined ? {} : { page }
}

function isBlank(text: string, span: Span): boolean {
  const { start, end } = trimSpan(text, span)
  return start === end
}
