import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { collectChosen } from '../postings/posting-row.ts'
import { inSlotOrder } from '../postings/posting-words.ts'
import { bucketPageRange, bucketsOf, PAGE_SLOTS, slotKey, slotOfKey } from '../storage/keys.ts'
import type { BucketPlace, Granularity } from '../storage/keys.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import { paddedWidth, pickQuantised, quantisedRowBytes, ROW_COLUMNS } from '../vectors/quantise.ts'
import type { RowTerm, TermMap } from '../postings/posting-row.ts'
import type { SlotBatch } from './slot-batch.ts'

/** Not among the slots that are moved. */
const STAYS = -1

/** Reads live slots back into a batch, without the text: postings, lengths and int8 rows are all that slots have. */
export class SlotExtractor {
  readonly #postings: StatementSync
  readonly #quantised: StatementSync
  readonly #dimension: number

  constructor(database: DatabaseSync, dimension: number) {
    this.#postings = database.prepare('SELECT data FROM posting WHERE key BETWEEN ? AND ?')
    this.#postings.setReturnArrays(true)
    this.#quantised = database.prepare('SELECT key, data FROM quantised WHERE key BETWEEN ? AND ? ORDER BY key')
    this.#dimension = dimension
  }

  /** @param chosen live slots of the page, ascending */
  extract(kb: number, slots: PageSlots, chosen: readonly number[]): SlotBatch {
    const positions = new Int16Array(PAGE_SLOTS).fill(STAYS)
    for (const [position, slot] of chosen.entries()) positions[slot] = position
    return {
      count: chosen.length,
      lengths: Uint32Array.from(chosen, (slot) => slots.lengths[slot]!),
      documents: Uint32Array.from(chosen, (slot) => slots.documents[slot]!),
      sequences: Uint32Array.from(chosen, (slot) => slots.sequences[slot]!),
      terms: [...this.#terms(kb, slots.page, positions)],
      quantised: this.#rows(kb, slots.page, chosen)
    }
  }

  *#terms(kb: number, page: number, positions: Int16Array): Generator<RowTerm> {
    for (const places of bucketsOfKnowledgeBase(kb)) {
      const terms: TermMap = new Map()
      for (const data of this.#read(places, page)) collectChosen(data, positions, terms)
      for (const [key, { hash, flat }] of terms) yield { key, hash, flat: inSlotOrder(flat) }
    }
  }

  /** The rows of a coarse bucket and of the fine buckets with the same terms. */
  #read(places: readonly BucketPlace[], page: number): Uint8Array[] {
    return places.flatMap((place) => {
      const range = bucketPageRange(place, page)
      return this.#postings.all(range.from, range.to).map((columns) => (columns as unknown as [Uint8Array])[0])
    })
  }

  #rows(kb: number, page: number, chosen: readonly number[]): Uint8Array {
    const start = slotKey(kb, page * PAGE_SLOTS)
    const rowBytes = quantisedRowBytes(this.#dimension)
    const picked: Uint8Array[] = []
    for (const row of this.#quantised.all(start, start + PAGE_SLOTS - 1)) {
      const data = row.data as Uint8Array
      const first = slotOfKey(Number(row.key)) % PAGE_SLOTS
      const end = first + data.byteLength / rowBytes
      const within = chosen.filter((slot) => slot >= first && slot < end).map((slot) => slot - first)
      if (within.length > 0) picked.push(pickQuantised(data, this.#dimension, within))
    }
    return joinQuantised(picked, this.#dimension)
  }
}

function* bucketsOfKnowledgeBase(kb: number): Generator<BucketPlace[]> {
  const coarse = bucketsOf('coarse')
  const fine = bucketsOf('fine')
  const place = (granularity: Granularity, bucket: number): BucketPlace => ({ kb, granularity, bucket })
  for (let bucket = 0; bucket < coarse; bucket++) {
    const places = [place('coarse', bucket)]
    for (let other = bucket; other < fine; other += coarse) places.push(place('fine', other))
    yield places
  }
}

/** Blobs of quantised rows one after another as one blob: column by column. */
function joinQuantised(parts: readonly Uint8Array[], dimension: number): Uint8Array {
  const rowBytes = quantisedRowBytes(dimension)
  const counts = parts.map((part) => part.byteLength / rowBytes)
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  const width = paddedWidth(dimension)
  let target = 0
  for (let column = -1; column < ROW_COLUMNS; column++) {
    // First the rows themselves, then each column of 4 bytes.
    const [from, bytes] = column < 0 ? [0, width] : [width + 4 * column, 4]
    for (const [index, part] of parts.entries()) {
      const count = counts[index]!
      joined.set(part.subarray(from * count, (from + bytes) * count), target)
      target += bytes * count
    }
  }
  return joined
}
