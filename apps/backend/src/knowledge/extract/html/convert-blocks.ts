import type { BlockContent, Heading, List, ListItem, PhrasingContent } from 'mdast'
import { MarkupJudge } from '../markdown/markup-tags.ts'
import { renderInline } from '../markdown/render-inline.ts'
import { BlockJudge } from './block-elements.ts'
import { convertCode } from './convert-code.ts'
import { convertInline, convertInlineNode } from './convert-inline.ts'
import { convertTable, isLayout, rowsOf } from './convert-table.ts'
import { type HtmlElement, type HtmlNode, attributeOf, isElement, isText, isUnread } from './html-tree.ts'

/** Levels of lists; the same bound as in Markdown. Items further down become paragraphs of the last level. */
const maxListLevels = 16
const codeBlocks: ReadonlySet<string> = new Set(['pre', 'ac:plain-text-body', 'xmp', 'listing', 'plaintext'])
const lists: ReadonlySet<string> = new Set(['ul', 'ol', 'menu', 'dir', 'ac:task-list'])
const itemElements: ReadonlySet<string> = new Set(['li', 'dt', 'dd', 'ac:task'])
/** How the words of a cell are written. */
const plain = { judge: new MarkupJudge('', false), definitions: new Map(), plain: false }

export interface ConvertOptions {
  /** For messages. */
  readonly name: string
  /** Bound of what a table's repeated cells may grow to. */
  readonly maxCharacters: number
  /** Elements to leave out, besides those that no page is read for. */
  readonly leaveOut: (element: HtmlElement) => boolean
}

/** Turns the elements of a page into the tree that Markdown is parsed to, so that both are written by the same code. */
export class BlockConverter {
  readonly #options: ConvertOptions
  readonly #judge = new BlockJudge()
  #listLevel = 0

  constructor(options: ConvertOptions) {
    this.#options = options
  }

  /**
   * The blocks of nodes side by side: text that stands between blocks is a paragraph.
   * @param blocks where they go; in a deep page, lists that are copied on every level cost seconds
   */
  convert(nodes: readonly HtmlNode[], blocks: BlockContent[] = []): BlockContent[] {
    let line: PhrasingContent[] = []
    const endLine = (): void => {
      if (line.some(isVisible)) blocks.push({ type: 'paragraph', children: line })
      line = []
    }
    for (const child of nodes) {
      if (isElement(child) && (isUnread(child) || this.#options.leaveOut(child))) continue
      if (isElement(child) && this.#judge.isBlock(child)) {
        endLine()
        this.#block(child, blocks)
      } else if (child.nodeName === 'br') {
        // Two line breaks in a row are how old pages begin a paragraph.
        const last = line.findLast(isVisible)
        if (last?.type === 'break') endLine()
        else if (last !== undefined) line.push({ type: 'break' })
      } else {
        for (const node of convertInlineNode(child, this.#judge)) line.push(node)
      }
    }
    endLine()
    return blocks
  }

  #block(element: HtmlElement, blocks: BlockContent[]): void {
    const { tagName } = element
    const level = /^h([1-6])$/.exec(tagName)?.[1]
    if (level !== undefined) blocks.push(this.#heading(element, Number(level) as Heading['depth']))
    else if (codeBlocks.has(tagName)) blocks.push(convertCode(element))
    else if (lists.has(tagName)) {
      blocks.push(...this.#list(tagName === 'ol' ? startOf(element) : undefined, this.#items(element)))
    } else if (tagName === 'dl') blocks.push(...this.#list(undefined, this.#definitions(element)))
    else if (tagName === 'table') this.#table(element, blocks)
    else this.convert(element.childNodes, blocks)
  }

  #heading(element: HtmlElement, depth: Heading['depth']): Heading {
    return { type: 'heading', depth, children: convertInline(element.childNodes, this.#judge) }
  }

  /** @param start number of the first item; a list without numbers has none */
  #list(start: number | undefined, items: readonly (() => ListItem['children'])[]): BlockContent[] {
    this.#listLevel++
    try {
      const contents = items.map((item) => item()).filter((content) => content.length > 0)
      if (contents.length === 0) return []
      if (this.#listLevel > maxListLevels) return contents.flat() as BlockContent[]
      const children = contents.map((content): ListItem => ({ type: 'listItem', children: content }))
      const list: List = { type: 'list', ordered: start !== undefined, start: start ?? null, children }
      return [list]
    } finally {
      this.#listLevel--
    }
  }

  /** Whatever is directly in a list is an item; a list there belongs to the item before it. */
  #items(list: HtmlElement): (() => ListItem['children'])[] {
    const groups: HtmlNode[][] = []
    for (const child of list.childNodes) {
      if (isText(child) ? child.value.trim() === '' : !isElement(child) || isUnread(child)) continue
      const continues = isElement(child) && lists.has(child.tagName) && groups.length > 0
      if (continues) groups.at(-1)!.push(child)
      else groups.push([child])
    }
    return groups.map((nodes) => () => this.#convertAll(nodes))
  }

  /** A term and what follows it, up to the next term, is one item. */
  #definitions(list: HtmlElement): (() => ListItem['children'])[] {
    const groups: HtmlNode[][] = []
    let before = ''
    for (const child of list.childNodes.flatMap(unwrapGroup)) {
      if (!isElement(child) || isUnread(child)) continue
      if (groups.length === 0 || (child.tagName === 'dt' && before !== 'dt')) groups.push([child])
      else groups.at(-1)!.push(child)
      before = child.tagName
    }
    return groups.map((nodes) => () => this.#convertAll(nodes))
  }

  #convertAll(nodes: readonly HtmlNode[]): BlockContent[] {
    const blocks: BlockContent[] = []
    for (const node of nodes) {
      if (isElement(node) && itemElements.has(node.tagName)) this.convert(node.childNodes, blocks)
      else this.convert([node], blocks)
    }
    return blocks
  }

  #table(table: HtmlElement, blocks: BlockContent[]): void {
    const caption = table.childNodes.find((child) => isElement(child) && child.tagName === 'caption')
    if (caption !== undefined) this.convert([caption], blocks)
    const rows = rowsOf(table)
    if (isLayout(table, rows)) {
      for (const { cells } of rows) for (const cell of cells) this.convert(cell.childNodes, blocks)
      return
    }
    const { name, maxCharacters } = this.#options
    const cellText = (cell: HtmlElement): string =>
      renderInline(convertInline(cell.childNodes, this.#judge), plain).replace(/\s+/g, ' ').trim()
    const converted = convertTable(rows, { name, maxCharacters, cellText })
    if (converted !== undefined) blocks.push(converted)
  }
}

function isVisible(node: PhrasingContent): boolean {
  return node.type !== 'text' || node.value.trim() !== ''
}

function startOf(list: HtmlElement): number {
  const start = Number(attributeOf(list, 'start') ?? 1)
  return Number.isSafeInteger(start) && start >= 0 ? start : 1
}

/** Pairs of a definition list may be wrapped in a `div`. */
function unwrapGroup(node: HtmlNode): readonly HtmlNode[] {
  return isElement(node) && node.tagName === 'div' ? node.childNodes : [node]
}
