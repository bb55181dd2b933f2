import { BlockWriter, onlyFirstHeading } from '../block-writer.ts'
import { countLost } from '../decode-text.ts'
import { type Extraction, noAttributes } from '../extracted-document.ts'
import { MarkupJudge } from '../markdown/markup-tags.ts'
import { BlockRenderer } from '../markdown/render-blocks.ts'
import { BlockConverter } from './convert-blocks.ts'
import { decodeHtml } from './decode-html.ts'
import { type HtmlElement, type HtmlParent, isElement } from './html-tree.ts'
import { findMainContent, isBeside } from './main-content.ts'
import { readHead } from './page-head.ts'
import { parseHtml } from './parse-html.ts'

/**
 * An HTML page to cleaned Markdown and its blocks: its main part, without scripts, navigation and what is hidden.
 * The title is the only first-level heading, else that of the page.
 * @throws AppError DOCUMENT_UNREADABLE (`binary`, `encoding`), PAYLOAD_TOO_LARGE
 */
export function extractHtml(bytes: Uint8Array, name: string, maxCharacters: number): Extraction {
  const source = decodeHtml(bytes, name)
  const isXml = /\.xhtml$/i.test(name) || /^\s*<\?xml\s/.test(source)
  const document = parseHtml(source, { name, isXml })
  const html = document.childNodes.find((node) => isElement(node) && node.tagName === 'html') as HtmlElement
  const head = childOf(html, 'head')
  const { title, attributes } = head === undefined ? { attributes: noAttributes } : readHead(head)

  const { root, isMarked } = findMainContent(childOf(html, 'body') ?? html)
  const leaveOut = isMarked ? (): boolean => false : isBeside
  const written = writeBlocks(root, { name, maxCharacters, leaveOut })
  const ownTitle = onlyFirstHeading(written.blocks) ?? title
  const lost = countLost(source)
  return {
    ...written,
    ...(ownTitle === undefined ? {} : { title: ownTitle }),
    attributes,
    metadata: {},
    warnings: lost === 0 ? [] : [`${lost} characters were lost before it came here`]
  }
}

/** The text and the blocks of a tree; whatever is not to be read is left out. */
export function writeBlocks(
  root: HtmlParent,
  options: ConstructorParameters<typeof BlockConverter>[0]
): Pick<Extraction, 'text' | 'blocks'> {
  const writer = new BlockWriter()
  const renderer = new BlockRenderer(writer, new MarkupJudge('', false), new Map())
  renderer.renderAll(new BlockConverter(options).convert(root.childNodes))
  return { text: writer.text, blocks: writer.blocks }
}

function childOf(html: HtmlElement, tagName: string): HtmlElement | undefined {
  return html.childNodes.filter(isElement).find((child) => child.tagName === tagName)
}
