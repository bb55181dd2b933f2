/** HTML elements; a tag of another name may be a placeholder such as `<namespace>`, which is text. */
const htmlNames: ReadonlySet<string> = new Set(
  (
    'a abbr address area article aside audio b base bdi bdo big blockquote body br button canvas caption center cite ' +
    'code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font ' +
    'footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend ' +
    'li link main map mark menu meta meter nav noscript object ol optgroup option output p param picture pre progress ' +
    'q rp rt ruby s samp script section select small source span strike strong style sub summary sup svg table tbody ' +
    'td template textarea tfoot th thead time title tr track tt u ul var video wbr path circle rect g'
  ).split(' ')
)

export interface Tag {
  /** Empty for a fragment (`<>`, `</>`). */
  readonly name: string
  readonly kind: 'open' | 'close' | 'self-closing'
  /** Offset after the tag. */
  readonly end: number
  /** It has an attribute with a value: placeholders have none. */
  readonly hasAttributes: boolean
  /** CommonMark does not see it as a tag: values in braces, or lines in between. */
  readonly onlyJsx: boolean
}

/**
 * Reads one HTML or JSX tag at `at`: quoted values and balanced braces may hold anything; a blank line outside
 * braces ends the attempt. Nothing when there is no complete tag.
 */
export function readTag(text: string, at: number): Tag | undefined {
  const opening = /^<(\/?)([A-Za-z][\w.-]*(?::[\w.-]+)?)?/.exec(text.slice(at, at + 100))
  if (opening === null) return undefined
  const name = opening[2] ?? ''
  const close = opening[1] === '/'
  let position = at + opening[0].length
  if (name === '') {
    return text[position] === '>'
      ? { name, kind: close ? 'close' : 'open', end: position + 1, hasAttributes: false, onlyJsx: true }
      : undefined
  }
  // After the name comes white space, a slash, a brace or the end: `<a@b.org>` and `<http://x>` are no tags.
  if (!/[\s/>{]/.test(text[position] ?? '')) return undefined

  let braces = false
  for (; position < text.length; position++) {
    const character = text[position]!
    if (character === '>') {
      const source = text.slice(at, position + 1)
      return {
        name,
        kind: close ? 'close' : source.endsWith('/>') ? 'self-closing' : 'open',
        end: position + 1,
        hasAttributes: source.includes('='),
        onlyJsx: braces || source.includes('\n')
      }
    }
    if (character === '<') return undefined
    if (character === '{') {
      braces = true
      position = endOfBraces(text, position)
    } else if ((character === '"' || character === "'") && text[position - 1] === '=') {
      position = text.indexOf(character, position + 1)
    } else if (character === '\n' && /^\n[ \t]*\n/.test(text.slice(position, position + 200))) return undefined
    if (position < 0) return undefined
  }
  return undefined
}

/** Offset of the brace that closes the one at `at`, or -1. */
export function endOfBraces(text: string, at: number): number {
  let depth = 0
  for (let position = at; position < text.length; position++) {
    if (text[position] === '{') depth++
    else if (text[position] === '}' && --depth === 0) return position
  }
  return -1
}

/** Decides which tags of one document are markup, and which are placeholders that a reader must see. */
export class MarkupJudge {
  readonly #closed: ReadonlySet<string>
  readonly #mdx: boolean

  constructor(source: string, mdx: boolean) {
    this.#closed = new Set([...source.matchAll(/<\/([A-Za-z][\w.:-]*)\s*>/g)].map((match) => match[1]!))
    this.#mdx = mdx
  }

  isMarkup(tag: Tag): boolean {
    if (tag.name === '' || htmlNames.has(tag.name.toLowerCase())) return true
    if (tag.hasAttributes || tag.kind !== 'open' || this.#closed.has(tag.name)) return true
    return this.#mdx && /^[A-Z].*[a-z]/.test(tag.name)
  }
}
