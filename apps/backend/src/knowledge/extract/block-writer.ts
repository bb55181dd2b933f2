import type { Block } from '@oncall-agent/retrieval'

/** Headings are repeated in each chunk's searched text; a "heading" that is longer than this was meant as text. */
const maxHeadingLength = 200

/** Builds a document's text and its blocks together, so that every span is right by construction. */
export class BlockWriter {
  readonly blocks: Block[] = []
  readonly #separator: string
  #text = ''
  #page: { page: number } | undefined

  /** @param separator what stands between two blocks */
  constructor(separator = '\n\n') {
    this.#separator = separator
  }

  get text(): string {
    return this.#text
  }

  /** Blocks from here on belong to this page, from 1. */
  startPage(page: number): void {
    this.#page = { page }
  }

  /** A heading without words leaves nothing; one of endless words is a paragraph. */
  heading(level: number, title: string): void {
    if (title === '') return
    if (title.length > maxHeadingLength) return this.block('paragraph', title)
    this.blocks.push({ kind: 'heading', level, title, ...this.#append(`${'#'.repeat(level)} ${title}`), ...this.#page })
  }

  /** A block without words leaves nothing. @param separator what stands before it, if not the usual */
  block(kind: 'paragraph' | 'code' | 'list-item', content: string, separator = this.#separator): void {
    if (content.trim() === '') return
    this.blocks.push({ kind, ...this.#append(content, separator), ...this.#page })
  }

  /** @param header the header line and the rule under it */
  table(header: string, rows: readonly string[]): void {
    const { start } = this.#append(header)
    const span = { start, end: this.#text.length }
    const rowSpans = rows.map((row) => this.#append(row, '\n'))
    this.blocks.push({ kind: 'table', start, end: this.#text.length, header: span, rows: rowSpans, ...this.#page })
  }

  #append(content: string, separator = this.#separator): { start: number; end: number } {
    if (this.#text !== '') this.#text += this.#separator === '\n' ? '\n' : separator
    const start = this.#text.length
    this.#text += content
    return { start, end: this.#text.length }
  }
}

/** Words of the only first-level heading of a document, which is its title then; several are sections. */
export function onlyFirstHeading(blocks: readonly Block[]): string | undefined {
  const firstLevel = blocks.filter((block) => block.kind === 'heading').filter(({ level }) => level === 1)
  return firstLevel.length === 1 ? firstLevel[0]!.title : undefined
}
