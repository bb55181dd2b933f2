import DOMPurify from 'dompurify'

/** Tags that Markdown makes; everything else is left out, its text kept. */
const TAGS: ReadonlySet<string> = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li strong em s a code pre span table thead tbody tr th td'.split(' ')
)

/** What a tag may carry, and how that must look. */
const attributes: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: { href: /^(?:https?:\/\/|mailto:)/i },
  ol: { start: /^\d{1,9}$/ },
  code: { 'data-language': /^[\w+#-]{0,20}$/ },
  span: { 'data-marker': /^\d{1,4}$/ },
  th: { 'data-align': /^(?:right|center)$/ },
  td: { 'data-align': /^(?:right|center)$/ }
}
const ATTRIBUTES = ['href', 'start', 'data-language', 'data-marker', 'data-align']

/**
 * Nodes of an answer from its HTML: the one place where text becomes elements. It passes three gates. The parser lets
 * no HTML through, DOMPurify takes away what is dangerous, and what is left is not used itself: elements are made anew
 * from a list of tags and attributes, so that a hole in one gate shows nothing but text.
 */
export function cleanNodes(html: string): DocumentFragment {
  // The frame around it is no allowed tag and falls away; some documents take away whatever stands first.
  const purified = DOMPurify.sanitize(`<div>${html}</div>`, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: [...TAGS],
    ALLOWED_ATTR: ATTRIBUTES,
    ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href'),
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i
  })
  const clean = document.createDocumentFragment()
  for (const node of purified.childNodes) copy(node, clean)
  return clean
}

/** Tags whose content is no text for a reader. */
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'math'])

function copy(node: Node, into: Node): void {
  if (node.nodeType === Node.TEXT_NODE) return void into.appendChild(document.createTextNode(node.nodeValue ?? ''))
  if (!(node instanceof Element)) return
  const name = node.localName.toLowerCase()
  if (SILENT.has(name)) return
  let target = into
  if (TAGS.has(name)) {
    const element = document.createElement(name)
    for (const [attribute, shape] of Object.entries(attributes[name] ?? {})) {
      const value = node.getAttribute(attribute)
      if (value !== null && shape.test(value)) element.setAttribute(attribute, value)
    }
    into.appendChild(element)
    target = element
  }
  for (const child of node.childNodes) copy(child, target)
}
