import type { Definition, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { boundNesting } from './bound-nesting.ts'

export interface ParsedMarkdown {
  readonly tree: Root
  /** Addresses of reference links, by their normalised label. */
  readonly definitions: ReadonlyMap<string, Definition>
}

/** CommonMark with tables; nesting is bounded. */
export function parseMarkdown(source: string): ParsedMarkdown {
  const tree = fromMarkdown(boundNesting(source), {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()]
  })
  const definitions = new Map<string, Definition>()
  for (const node of tree.children) if (node.type === 'definition') definitions.set(node.identifier, node)
  return { tree, definitions }
}
