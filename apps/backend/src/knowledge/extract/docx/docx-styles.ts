/** Names of styles whose paragraphs are lines of code: Word's, LibreOffice's, and what people call their own. */
const codeNames =
  /^(?:html (?:preformatted|预设格式)|preformatted text|macro(?: text)?|宏文本)$|\bcode\b|代码|源码|命令行/i
/** Lines of a table of contents repeat every heading. */
const contentsNames = /^(?:toc|contents|目录)\s*(?:\d|heading|标题)$/i
const titleNames = /^(?:title|标题|文档标题)$/i
const headingNames = /^(?:heading|标题)\s*([1-9])$/i
/** Each paragraph is compared with each name, and nobody uses more. */
const maxStyles = 500
const maxNameLength = 100
/** Steps from a style to the one it is based on. */
const maxAncestors = 20
const lastLevel = 6

/** Class of the heading that a paragraph in the style "Title" becomes. */
export const titleClass = 'document-title'

interface ParagraphStyle {
  readonly name: string
  readonly basedOn: string | undefined
  /** From 0; 9 is body text. */
  readonly outlineLevel: number | undefined
}

/**
 * What paragraphs of a document's own styles become, as lines of a style map. A heading is told by its outline level,
 * which it may have from the style it is based on, or by its name: firms have styles of their own in any language.
 * @param stylesXml the part `word/styles.xml`
 */
export function styleMapOf(stylesXml: string): readonly string[] {
  const styles = readStyles(stylesXml)
  return [...styles.values()].flatMap((style) => {
    const target = targetOf(style, styles)
    return target === undefined ? [] : [`p[style-name='${style.name.replace(/[\\']/g, '\\$&')}'] => ${target}`]
  })
}

function targetOf(style: ParagraphStyle, styles: ReadonlyMap<string, ParagraphStyle>): string | undefined {
  if (contentsNames.test(style.name)) return '!'
  if (titleNames.test(style.name)) return `h1.${titleClass}:fresh`
  const level = levelOf(style, styles)
  if (level !== undefined) return `h${Math.min(level, lastLevel)}:fresh`
  return codeNames.test(style.name) ? "pre:separator('\\n')" : undefined
}

/** From 1; nothing for body text. */
function levelOf(style: ParagraphStyle, styles: ReadonlyMap<string, ParagraphStyle>): number | undefined {
  let ancestor: ParagraphStyle | undefined = style
  for (let step = 0; ancestor !== undefined && step < maxAncestors; step++) {
    const named = headingNames.exec(ancestor.name)?.[1]
    if (named !== undefined) return Number(named)
    if (ancestor.outlineLevel !== undefined) return ancestor.outlineLevel < 9 ? ancestor.outlineLevel + 1 : undefined
    ancestor = styles.get(ancestor.basedOn ?? '')
  }
  return undefined
}

function readStyles(xml: string): ReadonlyMap<string, ParagraphStyle> {
  const styles = new Map<string, ParagraphStyle>()
  for (const part of xml.split(/<\/(?:\w+:)?style>/)) {
    const start = part.lastIndexOf('style ')
    const definition = start < 0 ? '' : part.slice(start)
    const id = valueOf(definition, /^[^>]*?\bstyleId="([^"]*)"/)
    const name = valueOf(definition, /<(?:\w+:)?name\s[^>]*?\bval="([^"]*)"/)
    const type = valueOf(definition, /^[^>]*?\btype="([^"]*)"/)
    if (id === undefined || name === undefined || (type ?? 'paragraph') !== 'paragraph') continue
    if (name.length > maxNameLength || /[\r\n]/.test(name)) continue
    const outline = valueOf(definition, /<(?:\w+:)?outlineLvl\s[^>]*?\bval="(\d)"/)
    styles.set(id, {
      name,
      basedOn: valueOf(definition, /<(?:\w+:)?basedOn\s[^>]*?\bval="([^"]*)"/),
      outlineLevel: outline === undefined ? undefined : Number(outline)
    })
    if (styles.size === maxStyles) break
  }
  return styles
}

function valueOf(xml: string, pattern: RegExp): string | undefined {
  return pattern
    .exec(xml)?.[1]
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}
