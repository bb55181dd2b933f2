import type { Term } from './term.ts'
import type { TermPostings } from './posting-words.ts'

// A row holds all terms of one bucket in one run of slots of one page:
//   u32 terms, u32 page, u32 words in all
//   u32 hash * terms (ascending, then by key) | u16 chunks * terms | u16 words * terms
//   u16 words of all terms | u8 key bytes * terms | keys
// It carries its page, so reading a range of rows needs no key to be taken apart.
const HEADER_LONGS = 3
const HEADER_BYTES = 4 * HEADER_LONGS

export interface RowTerm extends Term, TermPostings {}

/** Sections of a row, as views on its bytes. */
interface RowView {
  readonly terms: number
  readonly hashes: Uint32Array
  readonly counts: Uint16Array
  readonly wordCounts: Uint16Array
  readonly words: Uint16Array
  readonly keyLengths: Uint8Array
  readonly keys: Buffer
}

export function encodeRow(page: number, terms: readonly RowTerm[]): Uint8Array {
  const sorted = terms.toSorted(byHashThenKey)
  const words = sorted.reduce((sum, term) => sum + term.words.length, 0)
  const keyBytes = sorted.reduce((sum, term) => sum + term.key.length, 0)
  const bytes = new Uint8Array(HEADER_BYTES + sorted.length * 9 + words * 2 + keyBytes)
  new Uint32Array(bytes.buffer, 0, 3).set([sorted.length, page, words])
  const view = viewRow(bytes)
  let nextWord = 0
  let nextKey = 0
  for (let index = 0; index < sorted.length; index++) {
    const term = sorted[index]!
    view.hashes[index] = term.hash
    view.counts[index] = term.count
    view.wordCounts[index] = term.words.length
    view.keyLengths[index] = term.key.length
    view.words.set(term.words, nextWord)
    nextWord += term.words.length
    nextKey += view.keys.write(term.key, nextKey, 'latin1')
  }
  return bytes
}

function byHashThenKey(left: Term, right: Term): number {
  if (left.hash !== right.hash) return left.hash - right.hash
  return left.key < right.key ? -1 : 1
}

export function pageOfRow(row: Uint8Array): number {
  return new Uint32Array(row.buffer, row.byteOffset, 2)[1]!
}

/**
 * The postings of a term, or undefined where the row lacks it. The words are a view on the row.
 * A search does this for each page and term, so it makes two views and no strings.
 */
export function findTerm(row: Uint8Array, term: Term): TermPostings | undefined {
  const longs = new Uint32Array(row.buffer, row.byteOffset, row.byteLength >>> 2)
  const terms = longs[0]!
  let index = firstOfHash(longs, term.hash)
  if (index === terms || longs[HEADER_LONGS + index] !== term.hash) return undefined
  const shorts = new Uint16Array(row.buffer, row.byteOffset, row.byteLength >>> 1)
  const counts = 2 * (HEADER_LONGS + terms)
  const wordCounts = counts + terms
  let word = wordCounts + terms
  const lengths = 2 * (word + longs[2]!)
  let key = lengths + terms
  for (let before = 0; before < index; before++) {
    word += shorts[wordCounts + before]!
    key += row[lengths + before]!
  }
  for (; index < terms && longs[HEADER_LONGS + index] === term.hash; index++) {
    const length = row[lengths + index]!
    const words = shorts[wordCounts + index]!
    if (length === term.key.length && isKeyAt(row, key, term.key)) {
      return { count: shorts[counts + index]!, words: shorts.subarray(word, word + words) }
    }
    word += words
    key += length
  }
  return undefined
}

function isKeyAt(row: Uint8Array, start: number, key: string): boolean {
  for (let index = 0; index < key.length; index++) if (row[start + index] !== key.charCodeAt(index)) return false
  return true
}

/** Index of the first term whose hash is not below the one wanted. */
function firstOfHash(longs: Uint32Array, hash: number): number {
  let low = 0
  let high = longs[0]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (longs[HEADER_LONGS + middle]! < hash) low = middle + 1
    else high = middle
  }
  return low
}

/** All terms of a row. */
export function termsOfRow(row: Uint8Array): RowTerm[] {
  const view = viewRow(row)
  const keys = view.keys.toString('latin1')
  let word = 0
  let key = 0
  return Array.from({ length: view.terms }, (_, index) => {
    const words = view.words.subarray(word, (word += view.wordCounts[index]!))
    const name = keys.slice(key, (key += view.keyLengths[index]!))
    return { key: name, hash: view.hashes[index]!, count: view.counts[index]!, words }
  })
}

function viewRow(row: Uint8Array): RowView {
  const { buffer, byteOffset } = row
  const [terms, , words] = new Uint32Array(buffer, byteOffset, 3) as unknown as [number, number, number]
  const counts = byteOffset + HEADER_BYTES + terms * 4
  const wordCounts = counts + terms * 2
  const postings = wordCounts + terms * 2
  const keyLengths = postings + words * 2
  const keys = keyLengths + terms
  return {
    terms,
    hashes: new Uint32Array(buffer, byteOffset + HEADER_BYTES, terms),
    counts: new Uint16Array(buffer, counts, terms),
    wordCounts: new Uint16Array(buffer, wordCounts, terms),
    words: new Uint16Array(buffer, postings, words),
    keyLengths: new Uint8Array(buffer, keyLengths, terms),
    keys: Buffer.from(buffer as ArrayBuffer, keys, byteOffset + row.byteLength - keys)
  }
}
