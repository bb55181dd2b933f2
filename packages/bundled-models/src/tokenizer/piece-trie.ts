/** Bits of the hash table's index at least; 2^12 slots for a tiny vocabulary. */
const MIN_BITS = 12
/** Odd multipliers of Fibonacci hashing (2^32 / golden ratio, and a prime of xxHash) spread node and code unit. */
const NODE_FACTOR = 0x9e3779b1
const UNIT_FACTOR = 0x85ebca6b

/**
 * Prefix tree over UTF-16 code units in flat arrays: one open-addressing table of edges (node, unit) -> node.
 * Walking it costs one probe a code unit and allocates nothing, which keeps long texts linear.
 */
export class PieceTrie {
  /** Id of the piece that ends at a node, -1 where none does. */
  readonly pieceAt: Int32Array
  readonly #edgeNode: Int32Array
  readonly #edgeUnit: Uint16Array
  readonly #edgeTarget: Int32Array
  readonly #shift: number
  #nodes = 1

  /** @param first pieces before this index are control symbols that text never matches */
  constructor(pieces: readonly string[], first: number) {
    let units = 1
    for (const piece of pieces) units += piece.length
    // At most one node a unit; twice as many slots keep probes short.
    const bits = Math.max(MIN_BITS, Math.ceil(Math.log2(units)) + 1)
    this.#shift = 32 - bits
    this.#edgeNode = new Int32Array(2 ** bits).fill(-1)
    this.#edgeUnit = new Uint16Array(2 ** bits)
    this.#edgeTarget = new Int32Array(2 ** bits)
    this.pieceAt = new Int32Array(units).fill(-1)
    for (let id = first; id < pieces.length; id++) this.#add(pieces[id]!, id)
  }

  /** Node after `unit`, or -1. The root is 0. */
  step(node: number, unit: number): number {
    const slot = this.#slot(node, unit)
    return this.#edgeNode[slot] === -1 ? -1 : this.#edgeTarget[slot]!
  }

  #add(piece: string, id: number): void {
    let node = 0
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i)
      const slot = this.#slot(node, unit)
      if (this.#edgeNode[slot] === -1) {
        this.#edgeNode[slot] = node
        this.#edgeUnit[slot] = unit
        this.#edgeTarget[slot] = this.#nodes++
      }
      node = this.#edgeTarget[slot]!
    }
    this.pieceAt[node] = id
  }

  /** The slot of this edge, or the free slot where it would stand. */
  #slot(node: number, unit: number): number {
    const mask = this.#edgeNode.length - 1
    let slot = (Math.imul(node, NODE_FACTOR) ^ Math.imul(unit, UNIT_FACTOR)) >>> this.#shift
    while (this.#edgeNode[slot] !== -1 && (this.#edgeNode[slot] !== node || this.#edgeUnit[slot] !== unit)) {
      slot = (slot + 1) & mask
    }
    return slot
  }
}
