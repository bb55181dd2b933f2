import {
  type HtmlElement,
  type HtmlParent,
  attributeOf,
  elementsBelow,
  isElement,
  isText,
  isUnread
} from './html-tree.ts'

/** The part of a page that is called its content must hold at least this share of the text to be believed. */
const leastShare = 0.5

export interface MainContent {
  readonly root: HtmlParent
  /** It was found by its mark; otherwise it is the whole page, and what stands beside its text is left out. */
  readonly isMarked: boolean
}

/** The only `main` of a page, else its only `article`, if most of the text is in it; else the body. */
export function findMainContent(body: HtmlParent): MainContent {
  const all = lengthOf(body)
  for (const isCandidate of [isMain, (element: HtmlElement) => element.tagName === 'article']) {
    const candidates = [...elementsBelow(body, (element) => !isCandidate(element))].filter(isCandidate)
    const [only] = candidates
    if (only !== undefined && candidates.length === 1 && lengthOf(only) >= all * leastShare)
      return { root: only, isMarked: true }
  }
  return { root: body, isMarked: false }
}

/** Things beside the text of a page whose main part is not marked: side columns, and a site's banner. */
export function isBeside(element: HtmlElement): boolean {
  const role = attributeOf(element, 'role')
  if (element.tagName === 'aside') return role !== 'note'
  if (role === 'complementary' || role === 'banner') return true
  return element.tagName === 'header' && ![...elementsBelow(element)].some(({ tagName }) => /^h[1-6]$/.test(tagName))
}

function isMain(element: HtmlElement): boolean {
  return element.tagName === 'main' || attributeOf(element, 'role') === 'main'
}

/** Characters other than white space. */
function lengthOf(parent: HtmlParent): number {
  let length = 0
  for (const child of parent.childNodes) {
    if (isText(child)) length += child.value.replace(/\s+/g, '').length
    else if (isElement(child) && !isUnread(child) && child.tagName !== 'aside') length += lengthOf(child)
  }
  return length
}
