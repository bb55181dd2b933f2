import type { FlatPostings } from '../postings/posting-words.ts'
import type { RowTerm } from '../postings/posting-row.ts'

/** Chunks that take new slots together: of a document, or moved there by compaction. Columns are by position. */
export interface SlotBatch {
  readonly count: number
  /** Tokens plus one. */
  readonly lengths: Uint32Array
  /** Document rows. */
  readonly documents: Uint32Array
  readonly sequences: Uint32Array
  /** Positions are of the batch. */
  readonly terms: readonly RowTerm[]
  /** As `quantiseRows` gives them. */
  readonly quantised: Uint8Array
}

/** The postings of positions `from` up to `to`. */
export function partOfFlat(flat: FlatPostings, from: number, to: number): FlatPostings {
  const part: number[] = []
  for (let index = 0; index < flat.length; index += 2) {
    const position = flat[index]!
    if (position >= from && position < to) part.push(position, flat[index + 1]!)
  }
  return part
}
