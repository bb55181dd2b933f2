import { PortError } from '../ports/index.ts'
import type { ExtractedText, HeadingBlock, TableBlock, TextBlock } from './block.ts'
import type { ChunkOptions } from './chunk-options.ts'
import { searchedText } from '../evidence/index.ts'
import { trimSpan } from './span.ts'

export type BodyBlock = TextBlock | TableBlock

/** Consecutive blocks under the same headings. */
export interface Section {
  readonly headingPath: readonly string[]
  readonly blocks: readonly BodyBlock[]
}

/** A title or path that takes more of the bound would leave chunks that are mostly headings. */
const MAX_PREFIX_SHARE = 1 / 2
/** A "heading" longer than this is a paragraph that was marked up as one. */
const MAX_HEADING_SHARE = 1 / 4

/**
 * The sections of a document in reading order, those without text left out. A path that is too long loses its outermost
 * headings. @throws PortError `invalid-argument` when the title alone takes more than half of the bound
 */
export function sectionsOf(extracted: ExtractedText, options: ChunkOptions): Section[] {
  checkTitle(options)
  const sections: Section[] = []
  const open: HeadingBlock[] = []
  let blocks: BodyBlock[] = []
  const close = (): void => {
    if (blocks.length > 0) sections.push({ headingPath: pathOf(open, options), blocks })
    blocks = []
  }
  for (const block of extracted.blocks) {
    if (block.kind !== 'heading') {
      const { start, end } = trimSpan(extracted.text, block)
      if (start < end) blocks.push(block)
    } else if (isTooLong(block.title, options)) {
      blocks.push({ ...block, kind: 'paragraph' })
    } else {
      close()
      while (open.length > 0 && open.at(-1)!.level >= block.level) open.pop()
      open.push(block)
    }
  }
  close()
  return sections
}

function pathOf(open: readonly HeadingBlock[], options: ChunkOptions): readonly string[] {
  let path = open.map((heading) => heading.title.trim().replaceAll(/\s+/g, ' ')).filter((title) => title !== '')
  while (path.length > 1 && prefixShare(path, options) > MAX_PREFIX_SHARE) path = path.slice(1)
  return path
}

function isTooLong(heading: string, options: ChunkOptions): boolean {
  return options.bound.countTokens(heading) > options.bound.max * MAX_HEADING_SHARE
}

function prefixShare(headingPath: readonly string[], options: ChunkOptions): number {
  const { countTokens, max } = options.bound
  return countTokens(searchedText({ title: options.title, headingPath, content: '' })) / max
}

function checkTitle(options: ChunkOptions): void {
  if (prefixShare([], options) <= MAX_PREFIX_SHARE) return
  throw new PortError('invalid-argument', {
    operation: 'chunk document',
    subject: 'title',
    reason: `the title takes more than half of the ${options.bound.max} tokens of a chunk`,
    hint: 'Give the document a shorter title.'
  })
}
