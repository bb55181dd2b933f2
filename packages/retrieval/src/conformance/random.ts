/** Repeatable random numbers: the same seed gives the same data, so a failing case fails again. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 inclusive to 1 exclusive: a counter through the 32-bit finaliser of MurmurHash3. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000
  }

  /** A whole number of `from`..`to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)]!
  }

  /** Each item with the given chance, in order. */
  some<Item>(items: readonly Item[], chance: number): Item[] {
    return items.filter(() => this.next() < chance)
  }
}
