import { cleanNodes } from './clean-nodes.ts'
import { type MarkdownBlock, markdownBlocks, withLineFeeds } from './markdown-blocks.ts'

/** What ends or divides a sentence, or closes a bracket: with us and in Chinese. */
const CLOSING = /^[\p{Pe}\p{Pf}、。，．：；！？,.:;!?]+/u

export interface ViewWords {
  /** Name of the button of a marker. */
  readonly marker: (marker: number) => string
  readonly copy: string
  readonly copyLabel: string
  readonly table: string
}

export interface ViewWish {
  readonly text: string
  readonly markers: ReadonlySet<number>
  /** False while the text grows: only its end is read anew then. */
  readonly whole: boolean
  readonly words: ViewWords
}

/** Draws an answer into an element, block by block: a block that did not change stays the very same node. */
export function markdownView(host: HTMLElement) {
  let blocks: readonly MarkdownBlock[] = []
  let drawn = ''
  let known: ReadonlySet<number> = new Set()
  let spoken = ''

  return {
    /** @returns the blocks that are new */
    draw({ text: given, markers, whole, words }: ViewWish): readonly Element[] {
      const text = withLineFeeds(given)
      const language = JSON.stringify([words.copy, words.copyLabel, words.table, [...markers].map(words.marker)])
      const sameMarkers = markers.size === known.size && [...markers].every((marker) => known.has(marker))
      // What was said is sometimes taken back (a marker that belongs to nothing): then all is read again.
      const grew = text.startsWith(drawn) && sameMarkers && !whole
      const next = markdownBlocks(text, grew ? blocks : [], markers)
      const same = language === spoken ? sharedBlocks(blocks, next) : 0
      const focused = focusedMarker(host)
      const fresh = next.slice(same).map(({ html }) => elementOf(html, words))
      while (host.children.length > same) host.lastElementChild?.remove()
      host.append(...fresh)
      if (focused !== null && focusedMarker(host) === null)
        host.querySelector<HTMLElement>(`[data-marker="${focused}"]`)?.focus({ preventScroll: true })
      ;[blocks, drawn, known, spoken] = [next, text, markers, language]
      return fresh
    }
  }
}

function sharedBlocks(before: readonly MarkdownBlock[], after: readonly MarkdownBlock[]): number {
  const differs = after.findIndex(({ html }, index) => before[index]?.html !== html)
  return differs === -1 ? after.length : differs
}

/** A block that is drawn anew must not take the focus away from who reads it by keys. */
function focusedMarker(host: HTMLElement): string | null {
  const active = document.activeElement
  return active instanceof HTMLElement && host.contains(active) ? (active.dataset.marker ?? null) : null
}

function elementOf(html: string, words: ViewWords): Element {
  const block = document.createElement('div')
  block.className = 'md-block'
  block.append(cleanNodes(html))
  for (const span of block.querySelectorAll('span[data-marker]')) span.replaceWith(markerButton(span, words))
  for (const marker of block.querySelectorAll('button.marker')) keepWithClosing(marker)
  for (const link of block.querySelectorAll('a')) guardLink(link)
  for (const table of block.querySelectorAll('table')) wrapTable(table, words)
  for (const pre of block.querySelectorAll('pre')) wrapCode(pre, words)
  return block
}

function markerButton(span: Element, words: ViewWords): HTMLElement {
  const marker = span.getAttribute('data-marker') ?? ''
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'marker'
  button.dataset.marker = marker
  button.setAttribute('aria-label', words.marker(Number(marker)))
  button.setAttribute('aria-haspopup', 'dialog')
  button.textContent = marker
  return button
}

/** A browser breaks lines behind any button; no line begins with a full stop. */
function keepWithClosing(marker: Element): void {
  const next = marker.nextSibling
  const [closing] = CLOSING.exec(next?.nodeType === Node.TEXT_NODE ? (next.nodeValue ?? '') : '') ?? []
  if (next === null || closing === undefined) return
  next.nodeValue = (next.nodeValue ?? '').slice(closing.length)
  const together = document.createElement('span')
  together.className = 'md-together'
  marker.replaceWith(together)
  together.append(marker, closing)
}

/** Where a link leads is seen before it is followed; the page behind it learns nothing of this one. */
function guardLink(link: HTMLAnchorElement): void {
  const address = link.getAttribute('href')
  if (address === null) return link.replaceWith(...link.childNodes)
  link.rel = 'noopener noreferrer nofollow'
  link.target = '_blank'
  link.title = address
}

function wrapTable(table: Element, words: ViewWords): void {
  table.className = 'table'
  const scroll = document.createElement('div')
  scroll.className = 'scroll'
  scroll.tabIndex = 0
  scroll.setAttribute('role', 'region')
  scroll.setAttribute('aria-label', words.table)
  table.replaceWith(scroll)
  scroll.append(table)
}

function wrapCode(pre: Element, words: ViewWords): void {
  const head = document.createElement('div')
  head.className = 'code-head'
  const name = document.createElement('span')
  name.textContent = pre.firstElementChild?.getAttribute('data-language') ?? ''
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'button button-small'
  copy.dataset.copy = ''
  copy.setAttribute('aria-label', words.copyLabel)
  copy.textContent = words.copy
  head.append(name, copy)
  const frame = document.createElement('div')
  frame.className = 'md-code'
  pre.setAttribute('tabindex', '0')
  pre.replaceWith(frame)
  frame.append(head, pre)
}
