import { type MarkupJudge, endOfBraces, readTag } from './markup-tags.ts'
import { htmlTableToMarkdown } from './html-table.ts'
import { proseSegments } from './prose-segments.ts'

/** `import a, { b } from 'c'`; in plain Markdown only the whole form counts, for prose may begin with "import". */
const importLine =
  /^import\s+(?:(?:[\w$]+|\*\s+as\s+[\w$]+|\{[^}]*\}|[\w$]+\s*,\s*\{[^}]*\})\s+from\s+)?(['"])[^'"\n]+\1;?[ \t]*$/gm
const exportStart = /^export\s+(?:default|const|let|var|function|class|async|\{|\*)/gm
/** `:::tip Title`, `:::note[Title]`, `:::`: the title is text, the marker is not. */
const admonition = /^([ \t]*(?:>[ \t]*)*):{3,}[ \t]*(?:[a-zA-Z][\w-]*)?(?:\{[^}\n]*\})?[ \t]*(.*)$/gm
const htmlTable = /^([ \t]*)(<table[\s>][\s\S]*?<\/table>)[ \t]*$/gim

/**
 * A Markdown source without what only MDX and site generators understand, and which a Markdown parser would take for
 * prose: imports and exports, JSX tags with braces or over several lines, expression comments, admonition markers.
 * HTML tables become Markdown tables, because blank lines inside would break them apart. Code is left alone.
 */
export function removeMdx(source: string, mdx: boolean, judge: MarkupJudge): string {
  return proseSegments(source)
    .map((segment) => (segment.kind === 'fence' ? segment.text : cleanProse(segment.text, mdx, judge)))
    .join('')
}

function cleanProse(prose: string, mdx: boolean, judge: MarkupJudge): string {
  const withoutModules = mdx ? removeExports(prose).replace(importLine, '') : prose.replace(importLine, '')
  const withTables = withoutModules.replace(htmlTable, (whole: string, indent: string, table: string) => {
    const markdown = htmlTableToMarkdown(table)
    return markdown === undefined ? whole : `\n${markdown.replace(/^/gm, indent)}\n`
  })
  return removeJsx(withTables, judge).replace(admonition, (_whole, indent: string, rest: string) => {
    const title = rest.replace(/^\[(.*)\]$/, '$1').trim()
    return title === '' ? indent.trimEnd() : `${indent.trimEnd()}\n${indent}${title}\n${indent.trimEnd()}`
  })
}

function removeExports(prose: string): string {
  let kept = ''
  let from = 0
  for (const match of prose.matchAll(exportStart)) {
    if (match.index < from) continue
    kept += prose.slice(from, match.index)
    from = endOfStatement(prose, match.index)
  }
  return kept + prose.slice(from)
}

/** A statement of a module ends at the first blank line outside braces. */
function endOfStatement(prose: string, start: number): number {
  for (let at = start; at < prose.length; at++) {
    if (prose[at] === '{') {
      const end = endOfBraces(prose, at)
      if (end < 0) return prose.length
      at = end
    } else if (prose[at] === '\n' && /^\n[ \t]*(?:\n|$)/.test(prose.slice(at, at + 200))) return at
  }
  return prose.length
}

function removeJsx(prose: string, judge: MarkupJudge): string {
  let kept = ''
  let from = 0
  // Inline code and comments are stepped over; an escaped "<" or "{" is text.
  for (let at = nextSpecial(prose, 0); at >= 0;) {
    let next = at + 1
    if (prose[at] === '`') next = endOfInlineCode(prose, at)
    else if (prose[at] === '\\') next = at + 2
    else if (prose.startsWith('<!--', at)) next = endOrHere(prose.indexOf('-->', at), 3, prose.length)
    else {
      const end = endOfJsx(prose, at, judge)
      if (end !== undefined) {
        kept += prose.slice(from, at)
        from = end
        next = end
      }
    }
    at = nextSpecial(prose, next)
  }
  return kept + prose.slice(from)
}

function nextSpecial(prose: string, from: number): number {
  const special = /[`\\<{]/g
  special.lastIndex = from
  return special.exec(prose)?.index ?? -1
}

/** Where the JSX at `at` ends, if it is JSX that a Markdown parser would not recognise as a tag. */
function endOfJsx(prose: string, at: number, judge: MarkupJudge): number | undefined {
  if (prose[at] === '{') {
    if (!/^\{\s*\/\*/.test(prose.slice(at, at + 20))) return undefined
    const end = prose.indexOf('*/', at)
    const brace = end < 0 ? -1 : prose.indexOf('}', end)
    return brace < 0 ? undefined : brace + 1
  }
  const tag = readTag(prose, at)
  return tag !== undefined && tag.onlyJsx && judge.isMarkup(tag) ? tag.end : undefined
}

function endOfInlineCode(prose: string, at: number): number {
  const run = /^`+/.exec(prose.slice(at))![0]
  const paragraphEnd = endOrHere(prose.indexOf('\n\n', at), 0, prose.length)
  const closing = new RegExp(`(?<!\`)${run}(?!\`)`, 'g')
  closing.lastIndex = at + run.length
  const end = closing.exec(prose)?.index ?? -1
  return end < 0 || end > paragraphEnd ? at + run.length : end + run.length
}

function endOrHere(found: number, length: number, otherwise: number): number {
  return found < 0 ? otherwise : found + length
}
