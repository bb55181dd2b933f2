import { seededNormal, seededRandom } from '../../random/seeded-random.ts'

/** Chunks a cluster: texts of one topic. */
const chunksPerCluster = 500
/** Length of the noise against the centre's 1: cosine within a cluster is then about 1 / (1 + 0.9²) = 0.55. */
const spread = 0.9
const seedStride = 2_654_435_761

export interface VectorOptions {
  readonly seed: number
  /** Values a vector. */
  readonly dimension: number
  readonly chunks: number
  /** Unit vectors to gather around instead of random ones. */
  readonly centres?: readonly Float32Array[]
}

/** Unit vectors in clusters, each depending only on seed and number, spread as embeddings of text are. */
export class SyntheticVectors {
  readonly #options: VectorOptions
  readonly #centres: readonly Float32Array[]

  constructor(options: VectorOptions) {
    this.#options = options
    const clusters = Math.max(1, Math.ceil(options.chunks / chunksPerCluster))
    this.#centres = options.centres ?? Array.from({ length: clusters }, (_, number) => this.#noise(-1 - number, 1))
  }

  chunk(number: number): Float32Array {
    return this.#around(number, number)
  }

  /** A query near some cluster, equal to no chunk. */
  query(number: number): Float32Array {
    return this.#around(number * 7919, this.#options.chunks + number)
  }

  #around(cluster: number, number: number): Float32Array {
    const centre = this.#centres[cluster % this.#centres.length]!
    const vector = this.#noise(number, spread)
    for (let index = 0; index < vector.length; index++) vector[index]! += centre[index]!
    return normalise(vector)
  }

  /** A random direction of the given length. */
  #noise(number: number, length: number): Float32Array {
    const normal = seededNormal(seededRandom(this.#options.seed + number * seedStride))
    const vector = normalise(Float32Array.from({ length: this.#options.dimension }, normal))
    for (let index = 0; index < vector.length; index++) vector[index]! *= length
    return vector
  }
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const norm = Math.sqrt(squares)
  for (let index = 0; index < vector.length; index++) vector[index]! /= norm
  return vector
}
