import type { DefaultTreeAdapterTypes } from 'parse5'

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode
export type HtmlElement = DefaultTreeAdapterTypes.Element
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode

/** Elements that hold no text of the page: code, data, controls, pictures. */
const unread: ReadonlySet<string> = new Set(
  (
    'script style noscript template head title iframe noframes noembed object embed applet video audio canvas svg map ' +
    'select datalist button input textarea progress meter dialog annotation annotation-xml rt rp ac:parameter ac:task-id ac:task-status'
  ).split(' ')
)
/** Ways to other pages, and what stands under every page. */
const boilerplate: ReadonlySet<string> = new Set(['nav', 'footer'])
const boilerplateRoles: ReadonlySet<string> = new Set(['navigation', 'contentinfo', 'search'])

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node
}

export function isText(node: HtmlNode): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text'
}

export function attributeOf(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value
}

/** True for an element that a reader does not see, or that is no part of what the page says. */
export function isUnread(element: HtmlElement): boolean {
  if (unread.has(element.tagName) || boilerplate.has(element.tagName)) return true
  return attributeOf(element, 'hidden') !== undefined || boilerplateRoles.has(attributeOf(element, 'role') ?? '')
}

/** Elements below, in document order, without those inside unread ones. @param descend whether to look into one */
export function* elementsBelow(
  parent: HtmlParent,
  descend: (element: HtmlElement) => boolean = () => true
): Generator<HtmlElement> {
  const ahead = parent.childNodes.toReversed()
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (!isElement(node) || isUnread(node)) continue
    yield node
    if (descend(node)) for (const child of node.childNodes.toReversed()) ahead.push(child)
  }
}

/** All text below as it stands, without that of unread elements. */
export function textBelow(parent: HtmlParent): string {
  const parts: string[] = []
  collectText(parent, parts)
  return parts.join('')
}

function collectText(parent: HtmlParent, parts: string[]): void {
  for (const child of parent.childNodes) {
    if (isText(child)) parts.push(child.value)
    else if (isElement(child) && !isUnread(child)) collectText(child, parts)
  }
}
