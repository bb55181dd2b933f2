import type { PhrasingContent } from 'mdast'
import { cleanCharacters } from '../clean-characters.ts'
import {
  type HtmlElement,
  type HtmlNode,
  attributeOf,
  elementsBelow,
  isElement,
  isText,
  isUnread,
  textBelow
} from './html-tree.ts'
import type { BlockJudge } from './block-elements.ts'

const codeElements: ReadonlySet<string> = new Set(['code', 'samp', 'kbd', 'tt'])
/** What generators put into a heading so that one can link to it. */
const anchorMarks: ReadonlySet<string> = new Set(['', '¶', '#', '§', '🔗', '↑', '↩', '↩︎'])
const cjk = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303F\\uFF00-\\uFFEF]'
/** Where a source line was broken between two CJK characters a reader sees no space. */
const cjkLineBreak = new RegExp(`(?<=${cjk})[ \\t]*\\n\\s*(?=${cjk})`, 'gu')

/** The inline content of nodes; blocks among them are set apart by a space, as in the cell of a table. */
export function convertInline(nodes: readonly HtmlNode[], judge: BlockJudge): PhrasingContent[] {
  return nodes.flatMap((node) => convertInlineNode(node, judge))
}

export function convertInlineNode(node: HtmlNode, judge: BlockJudge): PhrasingContent[] {
  if (isText(node)) return [{ type: 'text', value: collapse(node.value) }]
  if (!isElement(node) || isUnread(node)) return []
  if (node.tagName === 'br') return [{ type: 'break' }]
  if (node.tagName === 'img') return [{ type: 'image', url: '', alt: collapse(attributeOf(node, 'alt') ?? '').trim() }]
  if (node.tagName === 'a') return convertLink(node, judge)
  if (node.tagName === 'ac:link') return convertWikiLink(node, judge)
  if (codeElements.has(node.tagName)) return inlineCode(node, judge)
  const content = convertInline(node.childNodes, judge)
  if (node.tagName === 'q') return [{ type: 'text', value: '“' }, ...content, { type: 'text', value: '”' }]
  // Without a mark 10 to the 6th is 106, and E-12 with note 1 is E-121.
  if (node.tagName === 'sup' && content.length > 0 && /^\s*[-+−]?\d/.test(textBelow(node)))
    return [{ type: 'text', value: '^' }, ...content]
  return judge.isBlock(node) ? [{ type: 'text', value: ' ' }, ...content, { type: 'text', value: ' ' }] : content
}

/** White space as a browser shows it, without characters that nobody sees. */
function collapse(text: string): string {
  return cleanCharacters(text)
    .replace(cjkLineBreak, '')
    .replace(/[ \t\n\f]+/g, ' ')
}

function convertLink(link: HtmlElement, judge: BlockJudge): PhrasingContent[] {
  const url = attributeOf(link, 'href') ?? ''
  // A note's way back to where it was referred to, and the mark that refers to it: "[1]" is no word of the sentence.
  if (/^#(?:foot|end)note-/.test(url)) return []
  if (url.startsWith('#') && anchorMarks.has(textBelow(link).trim())) return []
  return [{ type: 'link', url, children: convertInline(link.childNodes, judge) }]
}

/** A link without words of its own shows the title of the page that it leads to. */
function convertWikiLink(link: HtmlElement, judge: BlockJudge): PhrasingContent[] {
  if (textBelow(link).trim() !== '') return convertInline(link.childNodes, judge)
  const titles = [...elementsBelow(link)].map((element) => attributeOf(element, 'ri:content-title') ?? '')
  return [{ type: 'text', value: collapse(titles.join(' ')) }]
}

/** Code may stand around blocks (a whole listing): then it is set as the text it holds. */
function inlineCode(code: HtmlElement, judge: BlockJudge): PhrasingContent[] {
  if (code.childNodes.some((child) => isElement(child) && (child.tagName === 'a' || child.tagName === 'img')))
    return convertInline(code.childNodes, judge)
  const value = collapse(textBelow(code)).trim()
  return value === '' ? [] : [{ type: 'inlineCode', value }]
}
