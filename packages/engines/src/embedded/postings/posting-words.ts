// Postings of one term in one page, as 16-bit words: first one word a chunk, in slot order (12 bits slot, 4 bits term
// frequency), then two words (low, high) for each chunk whose frequency is 15 or more, in the same order.

export const SLOT_MASK = 0xfff
export const FREQUENCY_SHIFT = 12
/** This frequency in the word says that the true one follows in the overflow list. */
export const OVERFLOW = 15

/** Pairs (position, term frequency), flat, ascending by position. */
export type FlatPostings = readonly number[]

/** One term of a page: how many chunks, and their words. */
export interface TermPostings {
  readonly count: number
  readonly words: Uint16Array
}

/** Words that postings take. */
export function countWords(flat: FlatPostings): number {
  let words = flat.length / 2
  for (let index = 1; index < flat.length; index += 2) if (flat[index]! >= OVERFLOW) words += 2
  return words
}

/**
 * Writes postings to `words` from `start` on, and returns where they end.
 * @param shift added to each position to make it a slot of the page
 */
export function writePostings(flat: FlatPostings, shift: number, words: Uint16Array, start: number): number {
  const count = flat.length / 2
  let next = start + count
  for (let index = 0; index < count; index++) {
    const slot = flat[2 * index]! + shift
    const frequency = flat[2 * index + 1]!
    words[start + index] = slot | (Math.min(frequency, OVERFLOW) << FREQUENCY_SHIFT)
    if (frequency >= OVERFLOW) {
      words[next++] = frequency & 0xffff
      words[next++] = frequency >>> 16
    }
  }
  return next
}

/** Calls `visit` for each posting in slot order. */
export function visitPostings(postings: TermPostings, visit: (slot: number, frequency: number) => void): void {
  const { count, words } = postings
  let next = count
  for (let index = 0; index < count; index++) {
    const word = words[index]!
    let frequency = word >>> FREQUENCY_SHIFT
    if (frequency === OVERFLOW) {
      frequency = words[next]! + words[next + 1]! * 0x10000
      next += 2
    }
    visit(word & SLOT_MASK, frequency)
  }
}

/** Term frequency at a slot, 0 where the chunk lacks the term. */
export function frequencyAt(postings: TermPostings, slot: number): number {
  const { count, words } = postings
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words[middle]! & SLOT_MASK) < slot) low = middle + 1
    else high = middle
  }
  const word = low < count ? words[low]! : 0
  if (low === count || (word & SLOT_MASK) !== slot) return 0
  const frequency = word >>> FREQUENCY_SHIFT
  if (frequency < OVERFLOW) return frequency
  let before = 0
  for (let index = 0; index < low; index++) if (words[index]! >>> FREQUENCY_SHIFT === OVERFLOW) before++
  const place = count + 2 * before
  return words[place]! + words[place + 1]! * 0x10000
}

/** Appends the postings of `count` chunks, whose words start at `start`, to `flat`. */
export function appendPostings(flat: number[], words: Uint16Array, start: number, count: number): void {
  let next = start + count
  for (let index = start; index < start + count; index++) {
    const word = words[index]!
    let frequency = word >>> FREQUENCY_SHIFT
    if (frequency === OVERFLOW) {
      frequency = words[next]! + words[next + 1]! * 0x10000
      next += 2
    }
    flat.push(word & SLOT_MASK, frequency)
  }
}

/** The same postings by ascending slot; mostly they are so already. */
export function inSlotOrder(flat: FlatPostings): FlatPostings {
  for (let index = 2; index < flat.length; index += 2) {
    if (flat[index]! < flat[index - 2]!) return sorted(flat)
  }
  return flat
}

function sorted(flat: FlatPostings): FlatPostings {
  const pairs: [number, number][] = []
  for (let index = 0; index < flat.length; index += 2) pairs.push([flat[index]!, flat[index + 1]!])
  return pairs.toSorted((left, right) => left[0] - right[0]).flat()
}
