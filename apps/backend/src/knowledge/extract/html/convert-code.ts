import type { Code } from 'mdast'
import { cleanCharacters } from '../clean-characters.ts'
import { BlockJudge } from './block-elements.ts'
import { type HtmlElement, type HtmlParent, attributeOf, isElement, isText, isUnread } from './html-tree.ts'

/** Preformatted text, line by line as it stands. */
export function convertCode(pre: HtmlElement): Code {
  const lines: string[] = []
  collectLines(pre, lines, new BlockJudge())
  // In code a hard space is a space: a command that is copied with one fails.
  const value = cleanCharacters(lines.join(''))
    .replaceAll('\u00A0', ' ')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  return { type: 'code', lang: languageOf(pre) ?? null, value }
}

/** Some highlighters make each line an element of its own. */
function collectLines(parent: HtmlParent, lines: string[], judge: BlockJudge): void {
  const startsLine = (): boolean => lines.length === 0 || lines.at(-1)!.endsWith('\n')
  for (const child of parent.childNodes) {
    if (isText(child)) {
      if (child.value !== '') lines.push(child.value)
    } else if (isElement(child) && !isUnread(child)) {
      const ownLine = child.tagName !== 'td' && judge.isBlock(child)
      if (child.tagName === 'br' || (ownLine && !startsLine())) lines.push('\n')
      collectLines(child, lines, judge)
      if (ownLine && !startsLine()) lines.push('\n')
    }
  }
}

/** As class names say it, or the parameter of a wiki's code macro. */
function languageOf(pre: HtmlElement): string | undefined {
  const inner = pre.childNodes.find((child) => isElement(child))
  for (const element of [inner, pre]) {
    const named = element === undefined ? undefined : attributeOf(element, 'class')
    const language = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,30})/.exec(named ?? '')?.[1]
    if (language !== undefined) return language
  }
  const siblings = pre.tagName === 'ac:plain-text-body' ? (pre.parentNode?.childNodes ?? []) : []
  const parameter = siblings.find(
    (sibling) =>
      isElement(sibling) && sibling.tagName === 'ac:parameter' && attributeOf(sibling, 'ac:name') === 'language'
  )
  const value = parameter !== undefined && isElement(parameter) ? parameter.childNodes.find(isText)?.value.trim() : ''
  return value !== undefined && /^[\w+#.-]{1,30}$/.test(value) ? value : undefined
}
