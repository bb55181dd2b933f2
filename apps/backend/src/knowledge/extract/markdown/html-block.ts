import { type MarkupJudge, readTag } from './markup-tags.ts'
import { proseSegments } from './prose-segments.ts'

const unread =
  /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?\?>|<![A-Z][\s\S]*?>|<(script|style)(?:\s[^>]*)?>[\s\S]*?(?:<\/\1\s*>|$)/gi
const preformatted = /<pre(?:\s[^>]*)?>([\s\S]*?)<\/pre\s*>/gi

/** What an element's beginning or end becomes in Markdown; elements that are not named here leave nothing. */
const replacement: Readonly<Record<string, string>> = { br: '\n', li: '\n- ', td: ' ', th: ' ', hr: '\n\n' }
const breaking =
  /^(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|figcaption|figure|footer|form|header|main|nav|ol|p|pre|section|summary|table|tbody|thead|tr|ul|[A-Z].*)$/

/**
 * The Markdown that is left of a block of HTML when its tags, comments and scripts are gone: text of `<details>`,
 * list items, headings and `<pre>` stay what they are. Tags that are placeholders stay too.
 */
export function htmlBlockToMarkdown(html: string, judge: MarkupJudge): string {
  const readable = html
    .replace(unread, '')
    .replace(
      preformatted,
      (_whole, code: string) => `\n\n\`\`\`\`\n${code.replace(/<[^>]*>/g, '').trim()}\n\`\`\`\`\n\n`
    )
  return proseSegments(readable)
    .map((segment) => (segment.kind === 'fence' ? segment.text : dedent(removeTags(segment.text, judge))))
    .join('')
}

function removeTags(prose: string, judge: MarkupJudge): string {
  let kept = ''
  let from = 0
  for (let at = prose.indexOf('<'); at >= 0; at = prose.indexOf('<', at)) {
    const tag = readTag(prose, at)
    if (tag === undefined || !judge.isMarkup(tag)) {
      at++
      continue
    }
    kept += prose.slice(from, at) + leftOf(tag.name, tag.kind)
    from = tag.end
    at = tag.end
  }
  return kept + prose.slice(from)
}

function leftOf(name: string, kind: 'open' | 'close' | 'self-closing'): string {
  const heading = /^h([1-6])$/i.exec(name)?.[1]
  if (heading !== undefined) return kind === 'open' ? `\n\n${'#'.repeat(Number(heading))} ` : '\n\n'
  if (breaking.test(name)) return '\n\n'
  return kind === 'close' ? '' : (replacement[name.toLowerCase()] ?? '')
}

/** Indentation inside HTML means nothing, while in Markdown four spaces are code. */
function dedent(prose: string): string {
  return prose.replace(/^[ \t]+/gm, '')
}
