/** How a document is cut. All sizes are in the unit that `measure` counts. */
export interface ChunkOptions {
  readonly strategy: ChunkStrategy
  /** Target size, at least 1. */
  readonly size: number
  /** How much of a chunk's end the next one repeats; less than `size`. */
  readonly overlap: number
  /** Counts the unit of `size`: tokens of the embedder or characters. */
  readonly measure: (text: string) => number
  /** The embedder's own bound: no chunk's searched text counts more than `max` tokens; over-long text is split further. */
  readonly bound: { readonly countTokens: (text: string) => number; readonly max: number }
  /** Document title, part of each chunk's searched text. */
  readonly title: string
}

export type ChunkStrategy = 'markdown' | 'paragraph' | 'fixed' | 'word'

export interface ChunkSlice {
  /** From 0, without gaps. */
  readonly sequence: number
  readonly headingPath: readonly string[]
  /** `text.slice(start, end)`, preceded by the table's header where a table was cut. */
  readonly content: string
  readonly start: number
  readonly end: number
  /** First page of the chunk, where the format has pages. */
  readonly page?: number
}
