/**
 * Draws ranks 0..size-1 with probability proportional to 1 / (rank + 1)^exponent: words of natural text are spread
 * like that (Zipf 1949), and posting lists of such lengths are what a lexical index is slow on.
 */
export class ZipfSampler {
  readonly #cumulative: Float64Array

  constructor(size: number, exponent: number) {
    this.#cumulative = new Float64Array(size)
    let sum = 0
    for (let rank = 0; rank < size; rank++) {
      sum += (rank + 1) ** -exponent
      this.#cumulative[rank] = sum
    }
  }

  /** @param random a number in 0..1 */
  rank(random: number): number {
    const table = this.#cumulative
    const target = random * table[table.length - 1]!
    let low = 0
    let high = table.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (table[middle]! > target) high = middle
      else low = middle + 1
    }
    return low
  }
}
