import MarkdownIt from 'markdown-it'
import { markerRule, renderMarker } from './marker-rule.ts'

/** Where a link may lead. Anything else, also a relative address, stays text. */
const LINKS = /^(?:https?:\/\/|mailto:)/i

/**
 * Markdown of an answer. It is written by a model that may have read anything, so HTML stays text, links lead only to
 * the web or to a letter, and an image becomes a link: a picture that is fetched tells its server what was read.
 */
function createParser() {
  const parser = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false })
  parser.validateLink = (address) => LINKS.test(address.trim())
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  parser.linkify.add('ftp:', null).add('//', null)
  parser.inline.ruler.before('link', 'marker', markerRule)
  const { rules } = parser.renderer
  rules.marker = renderMarker
  rules.image = (tokens, index) => {
    const token = tokens[index]!
    const address = String(token.attrGet('src') ?? '')
    const text = token.content === '' ? address : token.content
    const { escapeHtml } = parser.utils
    // Inside a link there can be no other.
    if (isInLink(tokens, index) || !LINKS.test(address)) return escapeHtml(text)
    return `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`
  }
  rules.fence = rules.code_block = (tokens, index) => {
    const { content, info } = tokens[index]!
    const language = /^[\w+#-]{1,20}/.exec(info.trim())?.[0]?.toLowerCase() ?? ''
    return `<pre><code data-language="${language}">${parser.utils.escapeHtml(content)}</code></pre>\n`
  }
  for (const cell of ['th_open', 'td_open'] as const) {
    rules[cell] = (tokens, index) => {
      const token = tokens[index]!
      const side = /right|center/.exec(String(token.attrGet('style')))?.[0]
      return side === undefined ? `<${token.tag}>` : `<${token.tag} data-align="${side}">`
    }
  }
  return parser
}

function isInLink(tokens: readonly { readonly type: string }[], index: number): boolean {
  const last = tokens.slice(0, index).findLast(({ type }) => type === 'link_open' || type === 'link_close')
  return last?.type === 'link_open'
}

export const parser = createParser()
