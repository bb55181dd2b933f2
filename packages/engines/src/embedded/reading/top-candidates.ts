/** Room for candidates before those that have fallen behind are dropped. */
const PRUNE_ABOVE = 4096

/**
 * Collects what can still be among the best `limit` when each value is only known to within a slack:
 * `threshold` is the `limit`-th best certain value so far, and a candidate below it can be forgotten.
 */
export class TopCandidates<T> {
  readonly #limit: number
  /** Min-heap of the best certain values. */
  readonly #heap: Float64Array
  #size = 0
  #entries: { readonly possible: number; readonly item: T }[] = []
  #pruneAt = PRUNE_ABOVE

  constructor(limit: number) {
    this.#limit = limit
    this.#heap = new Float64Array(limit)
  }

  /** What a candidate's possible value must reach; -Infinity until there are enough. */
  get threshold(): number {
    return this.#size < this.#limit ? Number.NEGATIVE_INFINITY : this.#heap[0]!
  }

  /** @param certain the true value is at least this; @param possible it is at most this */
  add(item: T, certain: number, possible: number): void {
    if (possible < this.threshold) return
    this.#entries.push({ possible, item })
    this.#raise(certain)
    if (this.#entries.length > this.#pruneAt) {
      this.#entries = this.#entries.filter((entry) => entry.possible >= this.threshold)
      this.#pruneAt = Math.max(PRUNE_ABOVE, 2 * this.#entries.length)
    }
  }

  /** All that can be among the best, by descending possible value. */
  remaining(): { readonly possible: number; readonly item: T }[] {
    return this.#entries
      .filter((entry) => entry.possible >= this.threshold)
      .toSorted((left, right) => right.possible - left.possible)
  }

  #raise(value: number): void {
    const heap = this.#heap
    if (this.#size < this.#limit) {
      let child = this.#size++
      while (child > 0 && heap[(child - 1) >> 1]! > value) {
        heap[child] = heap[(child - 1) >> 1]!
        child = (child - 1) >> 1
      }
      heap[child] = value
      return
    }
    if (value <= heap[0]!) return
    let parent = 0
    for (;;) {
      let child = 2 * parent + 1
      if (child >= this.#limit) break
      if (child + 1 < this.#limit && heap[child + 1]! < heap[child]!) child++
      if (heap[child]! >= value) break
      heap[parent] = heap[child]!
      parent = child
    }
    heap[parent] = value
  }
}
