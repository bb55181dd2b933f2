// Row keys are integers that pack what orders the rows, so that one range of a table is one thing to read:
//   posting    space 19 | granularity 1 | bucket 10 | page 21 | first slot 12      (63 bits, a BigInt)
//   run        space 19 | page 21 | first slot 12                                  (52 bits)
//   quantised  space 19 | page 21 | first slot 12
//   page       space 19 | page 21
//   chunk, vector, token_vectors   document row 32 | sequence 20
// A space is the chunks of a knowledge base, whose number it has, or its entries, with a number of their own.
// A tuple as primary key WITHOUT ROWID took twice the file for the same bytes.

const SLOT_BITS = 12
/** Slots in a page: a posting names its slot in 12 bits. */
export const PAGE_SLOTS = 2 ** SLOT_BITS
/** Pages a space can ever have; numbers are not used twice. */
export const MAX_PAGES = 2 ** 21
/** Spaces that there can ever be: a knowledge base takes one number, and one more with its first entry. */
export const MAX_SPACES = 2 ** 19
/** Sequences of chunks in a document, 0 up to this bound. */
export const MAX_SEQUENCES = 2 ** 20
export const MAX_DOCUMENT_ROWS = 2 ** 32

/** Buckets of terms in a small run of postings: few rows to write for a new document. */
export const COARSE_BUCKETS = 32
/** Buckets of terms in a run of a whole page: a term's row is a few kilobytes. */
export const FINE_BUCKETS = 1024

export type Granularity = 'coarse' | 'fine'

/** Where the rows of a bucket are. */
export interface BucketPlace {
  readonly kb: number
  readonly granularity: Granularity
  readonly bucket: number
}

export interface KeyRange {
  readonly from: bigint
  readonly to: bigint
}

const PLACE_BITS = 33n
const PLACE_MASK = (1n << PLACE_BITS) - 1n

export function bucketsOf(granularity: Granularity): number {
  return granularity === 'fine' ? FINE_BUCKETS : COARSE_BUCKETS
}

export function pageKey(kb: number, page: number): number {
  return kb * MAX_PAGES + page
}

export function pageOfKey(key: number): number {
  return key % MAX_PAGES
}

/** Key of a slot in `run` and `quantised`; `slot` counts over all pages of the knowledge base. */
export function slotKey(kb: number, slot: number): number {
  return kb * MAX_PAGES * PAGE_SLOTS + slot
}

export function slotOfKey(key: number): number {
  return key % (MAX_PAGES * PAGE_SLOTS)
}

export function chunkKey(documentRow: number, sequence: number): number {
  return documentRow * MAX_SEQUENCES + sequence
}

function bucketBase(place: BucketPlace): bigint {
  const granularity = place.granularity === 'fine' ? 1 : 0
  return BigInt((place.kb * 2 + granularity) * FINE_BUCKETS + place.bucket) << PLACE_BITS
}

/** @param slot over all pages: it holds page and first slot */
export function postingKey(place: BucketPlace, slot: number): bigint {
  return bucketBase(place) | BigInt(slot)
}

/** All pages of a bucket. */
export function bucketRange(place: BucketPlace): KeyRange {
  const base = bucketBase(place)
  return { from: base, to: base | PLACE_MASK }
}

/** One page of a bucket. */
export function bucketPageRange(place: BucketPlace, page: number): KeyRange {
  const from = bucketBase(place) | BigInt(page * PAGE_SLOTS)
  return { from, to: from + BigInt(PAGE_SLOTS - 1) }
}
