import type { Definition, PhrasingContent } from 'mdast'
import { type MarkupJudge, readTag } from './markup-tags.ts'

export interface InlineContext {
  readonly judge: MarkupJudge
  readonly definitions: ReadonlyMap<string, Definition>
  /** Plain words only: no backticks, no addresses; for headings. */
  readonly plain: boolean
}

/** Longer addresses are generated (dashboards with their whole state): unreadable, and noise to a search. */
const maxAddressLength = 200
const shortcode = /\{\{[<%][\s\S]*?[%>]\}\}/g
const cjkLineBreak =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[ \t]*\n[ \t]*(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu

/**
 * Inline Markdown as readable text: emphasis marks and tags dropped, character references and escapes decoded, inline
 * code in backticks, images by their description, links by their words and, where absolute, their address. Lines that
 * were broken between two CJK characters are joined.
 */
export function renderInline(nodes: readonly PhrasingContent[], context: InlineContext): string {
  return renderAll(nodes, context)
    .replace(shortcode, '')
    .replace(/[ \t\u00A0]+/g, ' ')
    .replace(cjkLineBreak, '')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

function renderAll(nodes: readonly PhrasingContent[], context: InlineContext): string {
  return nodes.map((node) => renderOne(node, context)).join('')
}

function renderOne(node: PhrasingContent, context: InlineContext): string {
  switch (node.type) {
    case 'text':
      return node.value
    case 'inlineCode':
      return context.plain ? node.value : inCode(node.value)
    case 'break':
      return '\n'
    case 'html':
      return renderTag(node.value, context.judge)
    case 'image':
    case 'imageReference':
      return node.alt ?? ''
    case 'link':
      return withAddress(renderAll(node.children, context), node.url, context)
    case 'linkReference':
      return withAddress(
        renderAll(node.children, context),
        context.definitions.get(node.identifier)?.url ?? '',
        context
      )
    case 'footnoteReference':
      return ''
    default:
      return renderAll(node.children, context)
  }
}

function inCode(value: string): string {
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map((run) => run[0].length))
  const ticks = '`'.repeat(longest + 1)
  return longest > 0 ? `${ticks} ${value} ${ticks}` : `${ticks}${value}${ticks}`
}

function withAddress(words: string, url: string, context: InlineContext): string {
  const useful = /^(?:https?|mailto|ftp):/i.test(url) && url.length <= maxAddressLength
  if (context.plain || !useful || words.trim() === '') return words
  return words === url || `mailto:${words}` === url ? words : `[${words}](${url})`
}

function renderTag(html: string, judge: MarkupJudge): string {
  if (html.startsWith('<!') || html.startsWith('<?')) return ''
  const tag = readTag(html, 0)
  if (tag === undefined || !judge.isMarkup(tag)) return html
  if (/^(?:br|p|div|tr|hr)$/i.test(tag.name)) return '\n'
  // List items inside a table cell stand side by side; without a space their words would run together.
  return /^(?:li|ul|ol|td|th)$/i.test(tag.name) ? ' ' : ''
}
