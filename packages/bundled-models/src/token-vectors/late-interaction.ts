import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { openSession } from '../threads/open-session.ts'
import { CODES_PER_BYTE, LEVELS, NORM_LOW, NORM_STEP, TOKEN_WIDTH, type LateVectors } from './late-format.ts'
import { loadDeviation } from './token-geometry.ts'

/** Two bits take a little off every dot product; measured against float32 vectors on 13 sets. */
const QUANTISATION_GAIN = 1.016
const BYTE_VALUES = 256

/**
 * The four levels that each byte of codes stands for: two float32 in each of two float64, so that one copy takes two.
 * Read as float64 they are ordinary numbers, which a copy leaves as they are.
 */
const LEVELS_OF_BYTE = new Float64Array(
  Float32Array.from(
    { length: BYTE_VALUES * CODES_PER_BYTE },
    (_, i) => LEVELS[(Math.floor(i / CODES_PER_BYTE) >> ((i % CODES_PER_BYTE) * 2)) & 3]!
  ).buffer
)
const DOUBLES_PER_BYTE = CODES_PER_BYTE / 2

/**
 * MaxSim (late interaction; Khattab and Zaharia, SIGIR 2020) of a query with chunks in their stored form:
 * the mean over query tokens of the best cosine with a chunk's token vectors.
 */
export class LateInteraction {
  readonly #session: InferenceSession
  readonly #deviation: Float32Array
  #rows: Float32Array<ArrayBuffer> = new Float32Array()

  private constructor(session: InferenceSession, deviation: Float32Array) {
    this.#session = session
    this.#deviation = deviation
  }

  /** @throws PortError corrupt */
  static async load(folder: string): Promise<LateInteraction> {
    return new LateInteraction(await openSession(folder, 'late-products.onnx'), loadDeviation(folder))
  }

  /** @param query row-major tokens × 384, at least one token. @returns one number a chunk; 0 for a chunk without vectors */
  async maxSim(query: Float32Array, chunks: readonly LateVectors[]): Promise<number[]> {
    const tokens = query.length / TOKEN_WIDTH
    const rows = this.#decode(chunks)
    const outputs = await this.#session.run({
      rows: new Tensor('float32', rows, [rows.length / TOKEN_WIDTH, TOKEN_WIDTH]),
      query: new Tensor('float32', this.#scaledColumns(query, tokens), [TOKEN_WIDTH, tokens])
    })
    const products = outputs['products']!.data as Float32Array
    let row = 0
    return chunks.map((chunk) => {
      const score = meanOfBest(products, row, tokens, chunk)
      row += 1 + chunk.clusters
      return score * QUANTISATION_GAIN
    })
  }

  release(): Promise<void> {
    return this.#session.release()
  }

  /**
   * For each chunk a row with its mean in deviations, then a row of levels a cluster. The deviations themselves are
   * multiplied into the query, so that decoding is one table look-up a byte.
   */
  #decode(chunks: readonly LateVectors[]): Float32Array {
    const length = chunks.reduce((sum, chunk) => sum + 1 + chunk.clusters, 0) * TOKEN_WIDTH
    if (this.#rows.length < length) this.#rows = new Float32Array(length)
    const rows = this.#rows.subarray(0, length)
    const pairs = new Float64Array(rows.buffer, 0, length / 2)
    let at = 0
    for (const { mean, meanUnit, codes } of chunks) {
      for (let d = 0; d < TOKEN_WIDTH; d++) rows[at++] = (mean[d]! * meanUnit) / this.#deviation[d]!
      let pair = at / 2
      for (let i = 0; i < codes.length; i++) {
        const from = codes[i]! * DOUBLES_PER_BYTE
        pairs[pair++] = LEVELS_OF_BYTE[from]!
        pairs[pair++] = LEVELS_OF_BYTE[from + 1]!
      }
      at += codes.length * CODES_PER_BYTE
    }
    return rows
  }

  /** 384 × tokens, each dimension times its deviation. */
  #scaledColumns(query: Float32Array, tokens: number): Float32Array {
    const columns = new Float32Array(query.length)
    for (let token = 0; token < tokens; token++) {
      for (let d = 0; d < TOKEN_WIDTH; d++) {
        columns[d * tokens + token] = query[token * TOKEN_WIDTH + d]! * this.#deviation[d]!
      }
    }
    return columns
  }
}

function meanOfBest(products: Float32Array, meanRow: number, tokens: number, chunk: LateVectors): number {
  if (chunk.clusters === 0) return 0
  const best = new Float64Array(tokens).fill(Number.NEGATIVE_INFINITY)
  for (let cluster = 0; cluster < chunk.clusters; cluster++) {
    const scale = 1 / (NORM_LOW + chunk.norms[cluster]! * NORM_STEP)
    const row = (meanRow + 1 + cluster) * tokens
    for (let token = 0; token < tokens; token++) {
      const cosine = (products[row + token]! + products[meanRow * tokens + token]!) * scale
      if (cosine > best[token]!) best[token] = cosine
    }
  }
  return best.reduce((sum, value) => sum + value, 0) / tokens
}
