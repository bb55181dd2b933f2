import type { Term } from './term.ts'
import { appendPostings, countWords, SLOT_MASK, writePostings } from './posting-words.ts'
import type { FlatPostings, TermPostings } from './posting-words.ts'

// A row holds all terms of one bucket in one run of slots of one page:
//   u32 terms, u32 page, u32 words in all
//   u32 hash * terms (ascending, then by key) | u16 chunks * terms | u16 words * terms
//   u16 words of all terms | u8 key bytes * terms | keys
// It carries its page, so reading a range of rows needs no key to be taken apart.
const HEADER_LONGS = 3
const HEADER_BYTES = 4 * HEADER_LONGS

/** A term with its postings by position. */
export interface RowTerm extends Term {
  readonly flat: FlatPostings
}

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

/** @param shift added to each position to make it a slot of the page */
export function encodeRow(page: number, terms: readonly RowTerm[], shift: number): Uint8Array {
  const sorted = terms.toSorted(byHashThenKey)
  let words = 0
  let keyBytes = 0
  for (const term of sorted) {
    words += countWords(term.flat)
    keyBytes += term.key.length
  }
  const bytes = new Uint8Array(HEADER_BYTES + sorted.length * 9 + words * 2 + keyBytes)
  new Uint32Array(bytes.buffer, 0, HEADER_LONGS).set([sorted.length, page, words])
  const view = viewRow(bytes)
  let word = 0
  for (let index = 0; index < sorted.length; index++) {
    const { key, hash, flat } = sorted[index]!
    const end = writePostings(flat, shift, view.words, word)
    view.hashes[index] = hash
    view.counts[index] = flat.length / 2
    view.wordCounts[index] = end - word
    view.keyLengths[index] = key.length
    word = end
  }
  view.keys.write(sorted.map((term) => term.key).join(''), 'latin1')
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

/** Postings by the terms' keys. */
export type TermMap = Map<string, { readonly hash: number; readonly flat: number[] }>

/** Gathers the postings of all terms of a row, adding to what is there. */
export function collectTerms(row: Uint8Array, terms: TermMap): void {
  visitTerms(row, (view, index, place) => {
    const { flat } = entryOf(terms, view.hashes[index]!, place.keyOf())
    appendPostings(flat, view.words, place.word, view.counts[index]!)
  })
}

/**
 * Gathers the postings of some slots only, by their positions.
 * @param positions by slot of the page; -1 for a slot that is left out
 */
export function collectChosen(row: Uint8Array, positions: Int16Array, terms: TermMap): void {
  const flat: number[] = []
  visitTerms(row, (view, index, place) => {
    // Most terms have no chosen slot, and for those nothing is made.
    const end = place.word + view.counts[index]!
    let word = place.word
    while (word < end && positions[view.words[word]! & SLOT_MASK]! < 0) word++
    if (word === end) return
    flat.length = 0
    appendPostings(flat, view.words, place.word, view.counts[index]!)
    const chosen = entryOf(terms, view.hashes[index]!, place.keyOf()).flat
    for (let at = 0; at < flat.length; at += 2) {
      const position = positions[flat[at]!]!
      if (position >= 0) chosen.push(position, flat[at + 1]!)
    }
  })
}

interface TermPlace {
  /** Where the term's words start. */
  readonly word: number
  keyOf(): string
}

type TermVisitor = (view: RowView, index: number, place: TermPlace) => void

function visitTerms(row: Uint8Array, visit: TermVisitor): void {
  const view = viewRow(row)
  // Decoded once for all terms: a call for each costs more than the slices.
  const keys = view.keys.toString('latin1')
  let key = 0
  let length = 0
  const place = { word: 0, keyOf: () => keys.slice(key, key + length) }
  for (let index = 0; index < view.terms; index++) {
    length = view.keyLengths[index]!
    visit(view, index, place)
    place.word += view.wordCounts[index]!
    key += length
  }
}

function entryOf(terms: TermMap, hash: number, key: string): { readonly flat: number[] } {
  let known = terms.get(key)
  if (known === undefined) terms.set(key, (known = { hash, flat: [] }))
  return known
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
