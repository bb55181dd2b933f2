/**
 * The compact token vectors of one chunk (recipe A: 96 bytes a cluster, 14.9 KB for 300 tokens), little-endian:
 *
 * | bytes       | what |
 * |-------------|------|
 * | 1           | format, `LATE_FORMAT` |
 * | 1           | 0 |
 * | 2           | clusters k |
 * | 4           | float32: unit of the chunk's mean |
 * | 384         | int8: the chunk's mean |
 * | k           | uint8: norm of each decoded vector, in steps of `NORM_STEP` from `NORM_LOW` |
 * | k × 96      | four 2-bit codes a byte, lowest dimension in the lowest bits |
 *
 * A decoded value is mean + deviation[dimension] × LEVELS[code].
 */
export const LATE_FORMAT = 1
export const TOKEN_WIDTH = 384
export const CODES_PER_BYTE = 4
export const CODE_BYTES = TOKEN_WIDTH / CODES_PER_BYTE
export const HEADER_BYTES = 8
/** Lloyd and Max's quantiser of a normal distribution at two bits: levels and threshold in deviations. */
export const LEVELS: readonly [number, number, number, number] = [-1.51, -0.4528, 0.4528, 1.51]
export const THRESHOLD = 0.9814
/** Norms of decoded vectors lie near 0.95; this range in 255 steps is exact to 0.1 %. */
export const NORM_LOW = 0.75
export const NORM_STEP = 0.5 / 255
export const NORM_STEPS = 255

export interface LateVectors {
  readonly clusters: number
  readonly meanUnit: number
  readonly mean: Int8Array
  readonly norms: Uint8Array
  readonly codes: Uint8Array
}

export function lateBytes(clusters: number): number {
  return HEADER_BYTES + TOKEN_WIDTH + clusters * (1 + CODE_BYTES)
}

/** Views into `bytes`; null when they are not of this format (another model's, or damaged). */
export function readLateVectors(bytes: Uint8Array): LateVectors | null {
  if (bytes.length < HEADER_BYTES + TOKEN_WIDTH || bytes[0] !== LATE_FORMAT) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const clusters = view.getUint16(2, true)
  const meanUnit = view.getFloat32(4, true)
  if (bytes.length !== lateBytes(clusters) || !Number.isFinite(meanUnit)) return null
  const normsAt = HEADER_BYTES + TOKEN_WIDTH
  return {
    clusters,
    meanUnit,
    mean: new Int8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, TOKEN_WIDTH),
    norms: bytes.subarray(normsAt, normsAt + clusters),
    codes: bytes.subarray(normsAt + clusters)
  }
}
