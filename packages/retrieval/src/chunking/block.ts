/**
 * A document as an extractor hands it to the chunker: its text, and the blocks in it.
 * Any format that can be described by blocks (Markdown, HTML, DOCX, PDF pages) is chunked by the same code.
 */
export interface ExtractedText {
  /** The whole readable text; every offset of blocks and chunks points into it (UTF-16 units). */
  readonly text: string
  /** In reading order, not overlapping; text between blocks belongs to no block and is never searched. */
  readonly blocks: readonly Block[]
}

export type Block = HeadingBlock | TextBlock | TableBlock

interface Span {
  readonly start: number
  readonly end: number
  /** Page of the source, from 1, where the format has pages. */
  readonly page?: number
}

export interface HeadingBlock extends Span {
  readonly kind: 'heading'
  /** 1 (outermost) to 6. */
  readonly level: number
  /** Plain words of the heading, without markup. */
  readonly title: string
}

/** Cut only when it alone exceeds the chunk size; a paragraph is then cut at sentences, code and items at lines. */
export interface TextBlock extends Span {
  readonly kind: 'paragraph' | 'code' | 'list-item'
}

export interface TableBlock extends Span {
  readonly kind: 'table'
  /** The header row or rows, repeated on each further part of a cut table; empty span when there is none. */
  readonly header: { readonly start: number; readonly end: number }
  /** Spans of the body rows; a table is cut only between them. */
  readonly rows: readonly { readonly start: number; readonly end: number }[]
}
