import type { MarkerEnv } from './marker-rule.ts'
import { parser } from './markdown-parser.ts'

/** One paragraph, list, table, piece of code … of an answer. */
export interface MarkdownBlock {
  /** Where it begins; UTF-16 units of the text with LF line ends. */
  readonly start: number
  readonly html: string
}

/**
 * What can still become part of the one before it: "2" after a list is a paragraph until a dot follows. So the last two
 * are read anew.
 */
const OPEN_BLOCKS = 2

/**
 * The blocks of an answer. Of a text that grew, only the last two blocks are read anew, which keeps each step of a long
 * answer as cheap as one of a short answer.
 * @param known blocks of a text that `text` begins with up to `known`'s open blocks; empty reads everything
 */
export function markdownBlocks(
  text: string,
  known: readonly MarkdownBlock[],
  markers: ReadonlySet<number>
): readonly MarkdownBlock[] {
  const kept = known.slice(0, -OPEN_BLOCKS)
  const from = known.at(kept.length)?.start ?? 0
  return [...kept, ...blocksFrom(text, from, markers)]
}

/** Line ends as the parser has them. */
export const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

function blocksFrom(text: string, from: number, markers: ReadonlySet<number>): readonly MarkdownBlock[] {
  const env: MarkerEnv = { markers }
  const tail = text.slice(from)
  const tokens = parser.parse(tail, env)
  const lines = lineStarts(tail)
  const blocks: MarkdownBlock[] = []
  let first = 0
  let depth = 0
  for (const [index, { nesting }] of tokens.entries()) {
    depth += nesting
    if (depth > 0) continue
    const start = from + (lines[tokens[first]!.map?.[0] ?? 0] ?? 0)
    blocks.push({ start, html: parser.renderer.render(tokens.slice(first, index + 1), parser.options, env) })
    first = index + 1
  }
  return blocks
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
