/** Rows are padded with zeros to a multiple of what one step of the scan reads. */
const STEP = 64
const INT7_MAX = 63
const INT8_MAX = 127
const INT16_MAX = 32_767
const INT32_MAX = 2 ** 31 - 1
/** What lifts 7-bit values above 0, as the scan's instruction wants them. */
const INT7_OFFSET = 64
/** Residual norms are kept as f32; this lifts them by more than the rounding to f32 can lower them. */
const ROUND_UP = 1 + 2 ** -22

/** Columns of 4 bytes beside a row: f32 scale, f32 residual, i32 sum of its values. */
export const ROW_COLUMNS = 3

export function paddedWidth(dimension: number): number {
  return Math.ceil(dimension / STEP) * STEP
}

/** Bytes of one row as `quantised` keeps it. */
export function quantisedRowBytes(dimension: number): number {
  return paddedWidth(dimension) + 4 * ROW_COLUMNS
}

/**
 * Rows of int8 with their columns, as one blob: int8 * padded width * rows, then f32 scale * rows, f32 residual * rows,
 * i32 sum * rows. A row stands for the direction x/|x| = scale * row + e with |e| <= residual.
 */
export function quantiseRows(vectors: readonly Float32Array[], dimension: number): Uint8Array {
  const width = paddedWidth(dimension)
  const count = vectors.length
  const bytes = new Uint8Array(count * quantisedRowBytes(dimension))
  const rows = new Int8Array(bytes.buffer, 0, count * width)
  const scales = new Float32Array(bytes.buffer, count * width, count)
  const residuals = new Float32Array(bytes.buffer, count * (width + 4), count)
  const sums = new Int32Array(bytes.buffer, count * (width + 8), count)
  for (const [index, vector] of vectors.entries()) {
    const row = rows.subarray(index * width, (index + 1) * width)
    const { scale, residual } = quantiseInto(row, vector, INT8_MAX)
    scales[index] = scale
    residuals[index] = residual
    sums[index] = row.reduce((sum, value) => sum + value, 0)
  }
  return bytes
}

/** A query in whole numbers: y/|y| = scale * values + g with |g| = residual. */
export interface QuantisedQuery<Values> {
  readonly values: Values
  readonly scale: number
  readonly residual: number
}

/** The query as int16: as fine as 32-bit sums allow (|row . query| <= 127 * largest value * width). */
export function quantiseQuery(vector: Float32Array): QuantisedQuery<Int16Array> {
  const width = paddedWidth(vector.length)
  const values = new Int16Array(width)
  const largest = Math.min(INT16_MAX, Math.floor(INT32_MAX / (INT8_MAX * width)))
  return { values, ...quantiseInto(values, vector, largest) }
}

/** The query as 7-bit numbers plus 64. */
export function quantiseQueryQuick(vector: Float32Array): QuantisedQuery<Uint8Array> {
  const signed = new Int8Array(paddedWidth(vector.length))
  const bounds = quantiseInto(signed, vector, INT7_MAX)
  return { values: Uint8Array.from(signed, (value) => value + INT7_OFFSET), ...bounds }
}

/** Writes round(x / (|x| * scale)); the residual is the norm of what that leaves of x/|x|. */
function quantiseInto(
  target: Int8Array | Int16Array,
  vector: Float32Array,
  largest: number
): { scale: number; residual: number } {
  const length = norm(vector)
  if (length === 0) return { scale: 0, residual: 0 }
  let peak = 0
  for (const value of vector) peak = Math.max(peak, Math.abs(value))
  // The scale as f32 is what the scan multiplies by, so the residual is taken against that.
  const scale = Math.fround(peak / length / largest)
  let square = 0
  for (let index = 0; index < vector.length; index++) {
    const exact = vector[index]! / length
    const whole = Math.max(-largest, Math.min(largest, Math.round(exact / scale)))
    target[index] = whole
    square += (exact - whole * scale) ** 2
  }
  return { scale, residual: Math.sqrt(square) * ROUND_UP }
}

/** Euclidean norm in 64 bits. */
export function norm(vector: Float32Array): number {
  let square = 0
  for (let index = 0; index < vector.length; index++) square += vector[index]! ** 2
  return Math.sqrt(square)
}

/** Cosine in 64 bits, 0 where a vector has no direction. */
export function cosine(left: Float32Array, right: Float32Array, leftNorm: number): number {
  let dot = 0
  let square = 0
  for (let index = 0; index < left.length; index++) {
    const value = right[index]!
    dot += left[index]! * value
    square += value * value
  }
  const length = leftNorm * Math.sqrt(square)
  return length === 0 ? 0 : Math.max(-1, Math.min(1, dot / length))
}

/** The rows at some positions of a blob of `quantiseRows`, in that order. */
export function pickQuantised(data: Uint8Array, dimension: number, positions: readonly number[]): Uint8Array {
  const width = paddedWidth(dimension)
  const before = data.byteLength / quantisedRowBytes(dimension)
  const after = positions.length
  const picked = new Uint8Array(after * quantisedRowBytes(dimension))
  for (const [to, from] of positions.entries()) {
    picked.set(data.subarray(from * width, (from + 1) * width), to * width)
    for (let column = 0; column < 4 * ROW_COLUMNS; column += 4) {
      const source = before * (width + column) + from * 4
      picked.set(data.subarray(source, source + 4), after * (width + column) + to * 4)
    }
  }
  return picked
}
