import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, Parser, Token, defaultTreeAdapter } from 'parse5'
import { unreadable } from '../../unreadable.ts'
import { readableAttributes } from './html-attributes.ts'

type Document = DefaultTreeAdapterTypes.Document
type ChildNode = DefaultTreeAdapterTypes.ChildNode

/**
 * Levels of elements; browsers stop at 512. A parser looks through all open elements at many tags, so that 100,000
 * levels would take minutes, and whoever walks the tree may recur.
 */
const maxDepth = 256
/** A page of 2,000,000 characters whose code is coloured word by word has about 400,000. Measured: 300 MB of heap. */
const maxElements = 500_000
const cdataStart = '<![CDATA['
const cdataEnd = ']]>'
const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed frame hr img input link meta param source track wbr'.split(' ')
)
/** What they hold is not markup, and only their start tag says so. */
const rawTextElements: ReadonlySet<string> = new Set(
  'iframe noembed noframes noscript plaintext script style textarea title xmp'.split(' ')
)
/** Elements that mean something without content; another one that is empty leaves nothing. */
const meaningfulWhenEmpty: ReadonlySet<string> = new Set(['td', 'th', 'ri:page', 'ri:blog-post'])

export interface ParseHtmlOptions {
  /** For messages. */
  readonly name: string
  /** XHTML: `<p/>` is an empty paragraph. In HTML it opens one. */
  readonly isXml: boolean
}

/**
 * HTML of any quality as a tree of at most 256 levels, with the attributes that matter for its text. Nothing in it is
 * run or fetched. CDATA sections are text, and `<ac:name/>` of wiki exports is closed.
 * @throws AppError DOCUMENT_UNREADABLE (`too-complex`) at more than 500,000 elements
 */
export function parseHtml(source: string, options: ParseHtmlOptions): Document {
  const parser = new BoundedParser({ treeAdapter })
  parser.source = options
  parser.tokenizer.write(cdataAsText(source), true)
  return parser.document
}

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  source: ParseHtmlOptions = { name: '', isXml: false }
  #elements = 0

  override onStartTag(token: Token.TagToken): void {
    const { tagName } = token
    if (++this.#elements > maxElements) throw tooComplex(this.source.name)
    const staysOpen = !voidElements.has(tagName)
    if (staysOpen && this.openElements.stackTop >= maxDepth && !rawTextElements.has(tagName)) return
    token.attrs = readableAttributes(tagName, token.attrs)
    if (!token.selfClosing || !staysOpen || !(this.source.isXml || tagName.includes(':')))
      return super.onStartTag(token)

    if (!meaningfulWhenEmpty.has(tagName)) return
    super.onStartTag(token)
    super.onEndTag({ ...token, type: Token.TokenType.END_TAG, attrs: [], selfClosing: false })
  }
}

/**
 * CDATA sections written as text: HTML takes them for comments, and XHTML and wiki exports keep code in them. In a
 * script or a comment nobody reads the difference.
 */
function cdataAsText(source: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = source.indexOf(cdataStart); at >= 0; at = source.indexOf(cdataStart, from)) {
    const end = source.indexOf(cdataEnd, at)
    if (end < 0) break
    const text = source
      .slice(at + cdataStart.length, end)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
    parts.push(source.slice(from, at), text)
    from = end + cdataEnd.length
  }
  return parts.join('') + source.slice(from)
}

function tooComplex(name: string): Error {
  const problem = `has more than ${maxElements.toLocaleString('en-US')} elements`
  return unreadable(name, 'too-complex', problem, { hint: 'Split the document, or save a simpler copy of it.' })
}

/**
 * The usual tree, but children are looked for from the end. Content that is misplaced in a table goes before it, one
 * by one: from the front that is quadratic.
 */
const treeAdapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  insertBefore(parent, node, reference) {
    parent.childNodes.splice(parent.childNodes.lastIndexOf(reference), 0, node)
    node.parentNode = parent
  },
  insertTextBefore(parent, text, reference) {
    const previous = parent.childNodes[parent.childNodes.lastIndexOf(reference) - 1]
    if (previous !== undefined && defaultTreeAdapter.isTextNode(previous)) previous.value += text
    else treeAdapter.insertBefore(parent, defaultTreeAdapter.createTextNode(text), reference)
  },
  detachNode(node: ChildNode) {
    const parent = node.parentNode
    if (parent === null) return
    const at = parent.childNodes[0] === node ? 0 : parent.childNodes.lastIndexOf(node)
    if (at >= 0) parent.childNodes.splice(at, 1)
    node.parentNode = null
  }
}
