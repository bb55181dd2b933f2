/**
 * The chunks of one page of a knowledge base, by slot 0..used-1. A slot is written once and never again:
 * replacing a document kills its slots and takes new ones, so what is known of a slot by its number stays true.
 */
export interface PageSlots {
  readonly page: number
  /** Grows with each change of the page; caches are keyed by it. */
  readonly generation: number
  readonly used: number
  /** Slots whose chunk is gone. */
  readonly dead: number
  /** Tokens of the chunk plus one; 0 for a dead slot. */
  readonly lengths: Uint32Array
  /** Row of the chunk's document. */
  readonly documents: Uint32Array
  /** The chunk's sequence in it. */
  readonly sequences: Uint32Array
}

export function encodeSlots(slots: PageSlots): Uint8Array {
  const columns = new Uint32Array(slots.used * 3)
  columns.set(slots.lengths, 0)
  columns.set(slots.documents, slots.used)
  columns.set(slots.sequences, 2 * slots.used)
  return new Uint8Array(columns.buffer)
}

export function decodeSlots(bytes: Uint8Array, used: number): Pick<PageSlots, 'lengths' | 'documents' | 'sequences'> {
  const columns = new Uint32Array(bytes.buffer, bytes.byteOffset, used * 3)
  return {
    lengths: columns.subarray(0, used),
    documents: columns.subarray(used, 2 * used),
    sequences: columns.subarray(2 * used)
  }
}
