import type { BlockContent, Definition, List, ListItem, RootContent, Table } from 'mdast'
import { BlockWriter } from '../block-writer.ts'
import { htmlBlockToMarkdown } from './html-block.ts'
import type { MarkupJudge } from './markup-tags.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { type InlineContext, renderInline } from './render-inline.ts'

/**
 * A list item up to this length is one block with everything under it; a longer one is described by its parts, so
 * that a cut falls between sub-items and not inside a command. About the default chunk size in characters.
 */
const wholeItemLength = 1_200

/** Writes a parsed Markdown document as cleaned text and its blocks. */
export class BlockRenderer {
  readonly #writer: BlockWriter
  readonly #inline: InlineContext
  readonly #judge: MarkupJudge
  readonly #wholeItems: WeakMap<ListItem, string>

  /** @param wholeItems items rendered so far: each is asked for again on every level above it */
  constructor(
    writer: BlockWriter,
    judge: MarkupJudge,
    definitions: ReadonlyMap<string, Definition>,
    wholeItems = new WeakMap<ListItem, string>()
  ) {
    this.#writer = writer
    this.#judge = judge
    this.#inline = { judge, definitions, plain: false }
    this.#wholeItems = wholeItems
  }

  renderAll(nodes: readonly RootContent[]): void {
    for (const node of nodes) this.#render(node)
  }

  #render(node: RootContent): void {
    switch (node.type) {
      case 'heading':
        return this.#writer.heading(
          node.depth,
          headingTitle(renderInline(node.children, { ...this.#inline, plain: true }))
        )
      case 'paragraph':
        return this.#writer.block('paragraph', withoutAlertMark(renderInline(node.children, this.#inline)))
      case 'code':
        return this.#writer.block('code', fenced(node.lang, node.meta, node.value))
      case 'blockquote':
        return this.renderAll(node.children)
      case 'list':
        return this.#list(node, '')
      case 'table':
        return this.#table(node)
      case 'html':
        return this.#html(node.value)
      default:
        // Definitions are used where they are referred to; rules carry no words.
        return
    }
  }

  #html(html: string): void {
    const { tree } = parseMarkdown(htmlBlockToMarkdown(html, this.#judge))
    // What is still HTML now is a placeholder such as <namespace>: text.
    for (const node of tree.children) {
      if (node.type === 'html') this.#writer.block('paragraph', node.value.trim())
      else this.#render(node)
    }
  }

  #list(list: List, indent: string): void {
    list.children.forEach((item, index) => {
      const marker = list.ordered === true ? `${(list.start ?? 1) + index}. ` : '- '
      this.#item(item, marker, indent, index > 0)
    })
  }

  #item(item: ListItem, marker: string, indent: string, follows: boolean): void {
    const deeper = indent + ' '.repeat(marker.length)
    const whole = this.#wholeItem(item)
    if (whole.length <= wholeItemLength || item.children.length === 1) {
      const text = indent + marker + whole.replaceAll(/\n(?=[^\n])/g, `\n${deeper}`)
      return this.#writer.block('list-item', whole === '' ? '' : text, follows ? '\n' : '\n\n')
    }
    item.children.forEach((child, index) => {
      if (child.type === 'list') this.#list(child, deeper)
      else if (child.type === 'paragraph') {
        const words = renderInline(child.children, this.#inline)
        this.#writer.block('list-item', (index === 0 ? indent + marker : deeper) + words, '\n')
      } else this.#render(child)
    })
  }

  /** A list item's content as one text, rendered apart from the document. */
  #wholeItem(item: ListItem): string {
    const known = this.#wholeItems.get(item)
    if (known !== undefined) return known
    const apart = new BlockWriter('\n')
    new BlockRenderer(apart, this.#judge, this.#inline.definitions, this.#wholeItems).renderAll(
      item.children satisfies BlockContent[] | RootContent[]
    )
    this.#wholeItems.set(item, apart.text)
    return apart.text
  }

  #table(table: Table): void {
    const lines = table.children.map((row) => {
      const cells = row.children.map((cell) => cellText(renderInline(cell.children, this.#inline)))
      return `| ${cells.join(' | ')} |`
    })
    const [header, ...rows] = lines
    if (header === undefined) return
    const rule = `| ${table.children[0]!.children.map(() => '---').join(' | ')} |`
    this.#writer.table(`${header}\n${rule}`, rows)
  }
}

/** Without the anchors that site generators read: `{#id}`, `{: .class}`. */
function headingTitle(words: string): string {
  return words
    .replace(/\s*\{:?\s*[#.][^}]*\}\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** `[!NOTE]` opens an alert on some sites; what follows is the text. */
function withoutAlertMark(words: string): string {
  return words.replace(/^\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/i, '')
}

function cellText(words: string): string {
  return words.replace(/\s+/g, ' ').replace(/(?<!\\)\|/g, '\\|')
}

function fenced(lang: string | null | undefined, meta: string | null | undefined, value: string): string {
  if (value.trim() === '') return ''
  const longest = Math.max(2, ...[...value.matchAll(/^\s*(`{3,})/gm)].map((run) => run[1]!.length))
  const fence = '`'.repeat(longest + 1)
  const info = [lang, meta].filter((part) => part !== null && part !== undefined && part !== '').join(' ')
  return `${fence}${info}\n${value}\n${fence}`
}
