import { readWeight } from '../weights/weight-files.ts'
import { USE_WIDTH } from './composite.ts'

const HEADER_BYTES = 8
/** Dimensions that share a scale and a minimum. */
const GROUP = 64
const GROUPS = USE_WIDTH / GROUP
const BYTES_PER_ROW = USE_WIDTH / 2

/** USE's token embeddings at four bits a value: value = code × scale + minimum of its group of 64 dimensions. */
export class UseTable {
  readonly #codes: Uint8Array
  readonly #scales: Float32Array
  readonly #minima: Float32Array

  /** @throws PortError corrupt */
  constructor(folder: string) {
    const bytes = readWeight(folder, 'use-table.bin')
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const rows = view.getUint32(0, true)
    const scalesAt = HEADER_BYTES + rows * BYTES_PER_ROW
    const halves = (at: number): Float32Array =>
      Float32Array.from({ length: rows * GROUPS }, (_, i) => decodeHalf(view.getUint16(at + 2 * i, true)))
    this.#codes = bytes.subarray(HEADER_BYTES, scalesAt)
    this.#scales = halves(scalesAt)
    this.#minima = halves(scalesAt + rows * GROUPS * 2)
  }

  /** Row-major ids × 512. */
  lookUp(ids: readonly number[]): Float32Array {
    const out = new Float32Array(ids.length * USE_WIDTH)
    let at = 0
    for (const id of ids) {
      for (let byte = 0; byte < BYTES_PER_ROW; byte++) {
        const group = id * GROUPS + (((byte * 2) / GROUP) | 0)
        const code = this.#codes[id * BYTES_PER_ROW + byte]!
        out[at++] = (code & 15) * this.#scales[group]! + this.#minima[group]!
        out[at++] = (code >> 4) * this.#scales[group]! + this.#minima[group]!
      }
    }
    return out
  }
}

/** IEEE 754 half precision; the table has neither infinities nor NaN. */
function decodeHalf(half: number): number {
  const sign = half >> 15 === 0 ? 1 : -1
  const exponent = (half >> 10) & 31
  const fraction = half & 1023
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
