/**
 * Ward clustering (Ward 1963) of unit vectors, from their dot products, down to `clusters` groups.
 * Greedy merging with a kept nearest neighbour a row; Ward's criterion is reducible, so a merge never brings a third
 * cluster closer than its own nearest, and only rows whose neighbour was merged are searched again: O(n²) in practice.
 * Ties go to the lowest index, so equal input gives equal output.
 * @param gram row-major n × n dot products; not changed
 * @returns for each vector its group, numbered from 0 by first appearance
 */
export function clusterWard(gram: Float32Array, count: number, clusters: number): Int32Array {
  const merging = new WardMerging(gram, count)
  for (let left = count; left > Math.max(1, clusters); left--) merging.mergeClosest()
  return merging.groups()
}

class WardMerging {
  readonly #count: number
  /** Squared Ward distance of active clusters, symmetric. */
  readonly #distance: Float64Array
  readonly #size: Float64Array
  readonly #active: Uint8Array
  readonly #nearest: Int32Array
  readonly #nearestDistance: Float64Array
  /** The cluster that an absorbed one went into; itself while active. */
  readonly #parent: Int32Array

  constructor(gram: Float32Array, count: number) {
    this.#count = count
    this.#distance = new Float64Array(count * count)
    this.#size = new Float64Array(count).fill(1)
    this.#active = new Uint8Array(count).fill(1)
    this.#nearest = new Int32Array(count)
    this.#nearestDistance = new Float64Array(count)
    this.#parent = Int32Array.from({ length: count }, (_, i) => i)
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) {
        this.#distance[i * count + j] = gram[i * count + i]! + gram[j * count + j]! - 2 * gram[i * count + j]!
      }
    }
    for (let i = 0; i < count; i++) this.#findNearest(i)
  }

  mergeClosest(): void {
    const count = this.#count
    let kept = -1
    for (let i = 0; i < count; i++) {
      if (this.#active[i] === 1 && (kept === -1 || this.#nearestDistance[i]! < this.#nearestDistance[kept]!)) kept = i
    }
    const gone = this.#nearest[kept]!
    this.#active[gone] = 0
    this.#parent[gone] = kept
    this.#updateDistances(kept, gone)
    this.#size[kept]! += this.#size[gone]!
    for (let i = 0; i < count; i++) {
      if (this.#active[i] === 0) continue
      if (i === kept || this.#nearest[i] === kept || this.#nearest[i] === gone) this.#findNearest(i)
    }
  }

  groups(): Int32Array {
    const number = new Map<number, number>()
    return Int32Array.from({ length: this.#count }, (_, i) => {
      let root = i
      while (this.#parent[root] !== root) root = this.#parent[root]!
      const known = number.get(root)
      if (known !== undefined) return known
      number.set(root, number.size)
      return number.size - 1
    })
  }

  /** Lance and Williams 1967, coefficients of Ward's criterion. */
  #updateDistances(kept: number, gone: number): void {
    const count = this.#count
    const distance = this.#distance
    const between = distance[kept * count + gone]!
    const [a, b] = [this.#size[kept]!, this.#size[gone]!]
    for (let i = 0; i < count; i++) {
      if (this.#active[i] === 0 || i === kept) continue
      const c = this.#size[i]!
      const [toKept, toGone] = [distance[kept * count + i]!, distance[gone * count + i]!]
      const merged = ((a + c) * toKept + (b + c) * toGone - c * between) / (a + b + c)
      distance[kept * count + i] = merged
      distance[i * count + kept] = merged
    }
  }

  #findNearest(row: number): void {
    const [count, offset] = [this.#count, row * this.#count]
    let best = Number.POSITIVE_INFINITY
    let nearest = -1
    for (let j = 0; j < count; j++) {
      if (this.#active[j] === 0 || j === row) continue
      const distance = this.#distance[offset + j]!
      if (distance < best) {
        best = distance
        nearest = j
      }
    }
    this.#nearest[row] = nearest
    this.#nearestDistance[row] = best
  }
}
