import { type HtmlElement, isElement, isUnread } from './html-tree.ts'

/** Elements that begin a new line; `ac:` are those of wiki exports. All others run along in a line of text. */
const blockElements: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup p pre search section summary table ' +
    'tbody td tfoot th thead tr ul ac:structured-macro ac:plain-text-body ac:rich-text-body ac:layout ' +
    'ac:layout-section ac:layout-cell ac:task-list ac:task ac:task-body'
  ).split(' ')
)

/** Tells which elements stand on lines of their own, themselves or through something inside. Remembers its answers. */
export class BlockJudge {
  readonly #known = new WeakMap<HtmlElement, boolean>()

  isBlock(element: HtmlElement): boolean {
    const known = this.#known.get(element)
    if (known !== undefined) return known
    const answer =
      blockElements.has(element.tagName) ||
      element.childNodes.some((child) => isElement(child) && !isUnread(child) && this.isBlock(child))
    this.#known.set(element, answer)
    return answer
  }
}
