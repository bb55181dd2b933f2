import type { Token } from 'parse5'

/** Attributes that decide what a reader sees, by element. All others are dropped while the page is parsed. */
const read: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['alt'],
  td: ['rowspan', 'colspan'],
  th: ['rowspan', 'colspan'],
  ol: ['start'],
  meta: ['name', 'property', 'content'],
  pre: ['class'],
  code: ['class'],
  h1: ['class']
}
/** Wiki storage markup: which macro or parameter it is, and the page that a link without words leads to. */
const readInWiki = ['ac:name', 'ri:content-title']
const roles: ReadonlySet<string> = new Set(
  'main navigation banner contentinfo complementary search presentation none note'.split(' ')
)
/** Line numbers beside code, as highlighters mark them. */
const lineNumbers = /(?:^|\s)(?:linenos?|linenodiv|gutter|line-?numbers?|lnt?)(?:\s|$)/i
const invisible = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
/** No style that hides is longer; a megabyte of style is not searched. */
const maxStyleLength = 2_000

/**
 * The attributes of a start tag that matter for its text. Every way to hide an element becomes the one attribute
 * `hidden`: the attribute itself, `aria-hidden`, inline style, and the class of line numbers.
 */
export function readableAttributes(tagName: string, attributes: readonly Token.Attribute[]): Token.Attribute[] {
  if (attributes.length === 0) return []
  const names = Object.hasOwn(read, tagName) ? read[tagName]! : tagName.includes(':') ? readInWiki : []
  const kept = attributes.filter(({ name }) => names.includes(name))
  const role = attributes
    .find(({ name }) => name === 'role')
    ?.value.trim()
    .toLowerCase()
  if (role !== undefined && roles.has(role)) kept.push({ name: 'role', value: role })
  if (attributes.some((attribute) => hides(attribute, tagName))) kept.push({ name: 'hidden', value: '' })
  return kept
}

function hides({ name, value }: Token.Attribute, tagName: string): boolean {
  switch (name) {
    case 'hidden':
      // A browser opens such a section when its words are searched for.
      return value.toLowerCase() !== 'until-found'
    case 'aria-hidden':
      return value.toLowerCase() === 'true'
    case 'style':
      return invisible.test(value.slice(0, maxStyleLength))
    case 'class':
      return (tagName === 'td' || tagName === 'span' || tagName === 'div') && lineNumbers.test(value.slice(0, 200))
    default:
      return false
  }
}
