import { BlockWriter, onlyFirstHeading } from '../block-writer.ts'
import type { Extraction } from '../extracted-document.ts'
import { splitFrontMatter } from '../front-matter.ts'
import { MarkupJudge } from './markup-tags.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { removeMdx } from './remove-mdx.ts'
import { BlockRenderer } from './render-blocks.ts'

/**
 * Markdown to cleaned Markdown and its blocks. The text differs from the source: front matter, comments, tags and
 * site-generator markers are gone, tables are not padded, fences and headings have one form.
 * The title is that of the front matter, else the only first-level heading; several of them are sections.
 * @param source text of clean characters, lines ending in LF
 * @param mdx the file says that it is MDX: exports and capitalised tags are code for certain
 */
export function extractMarkdown(source: string, mdx: boolean): Extraction {
  const { body, ...front } = splitFrontMatter(source)
  const judge = new MarkupJudge(body, mdx)
  const { tree, definitions } = parseMarkdown(removeMdx(body, mdx, judge))
  const writer = new BlockWriter()
  new BlockRenderer(writer, judge, definitions).renderAll(tree.children)

  const title = front.title ?? onlyFirstHeading(writer.blocks)
  return {
    text: writer.text,
    blocks: writer.blocks,
    ...(title === undefined ? {} : { title }),
    attributes: front.attributes,
    metadata: front.metadata,
    warnings: front.warnings
  }
}
