/** Rows are padded with zeros to a multiple of what one step of the scan reads. */
const STEP = 32
const INT8_MAX = 127
const INT16_MAX = 32_767
const INT32_MAX = 2 ** 31 - 1
/** Residual norms are kept as f32; this lifts them by more than the rounding to f32 can lower them. */
const ROUND_UP = 1 + 2 ** -22

export function paddedWidth(dimension: number): number {
  return Math.ceil(dimension / STEP) * STEP
}

/** Bytes of one row as `quantised` keeps it: int8 * padded width, f32 scale, f32 residual norm. */
export function quantisedRowBytes(dimension: number): number {
  return paddedWidth(dimension) + 8
}

/**
 * Rows of int8 with their scales and residuals, as one blob: int8 * padded width * rows, f32 scale * rows,
 * f32 residual * rows. A row stands for the direction x/|x| = scale * row + e with |e| <= residual.
 */
export function quantiseRows(vectors: readonly Float32Array[], dimension: number): Uint8Array {
  const width = paddedWidth(dimension)
  const bytes = new Uint8Array(vectors.length * quantisedRowBytes(dimension))
  const rows = new Int8Array(bytes.buffer, 0, vectors.length * width)
  const scales = new Float32Array(bytes.buffer, rows.length, vectors.length)
  const residuals = new Float32Array(bytes.buffer, rows.length + vectors.length * 4, vectors.length)
  for (const [index, vector] of vectors.entries()) {
    const { scale, residual } = quantiseInto(rows.subarray(index * width), vector, INT8_MAX)
    scales[index] = scale
    residuals[index] = residual
  }
  return bytes
}

export interface QuantisedQuery {
  readonly values: Int16Array
  readonly scale: number
  readonly residual: number
}

/** The query as int16: as fine as 32-bit sums allow (|row . query| <= 127 * largest value * width). */
export function quantiseQuery(vector: Float32Array): QuantisedQuery {
  const width = paddedWidth(vector.length)
  const values = new Int16Array(width)
  const largest = Math.min(INT16_MAX, Math.floor(INT32_MAX / (INT8_MAX * width)))
  return { values, ...quantiseInto(values, vector, largest) }
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
    for (const column of [0, 4]) {
      const source = before * (width + column) + from * 4
      picked.set(data.subarray(source, source + 4), after * (width + column) + to * 4)
    }
  }
  return picked
}
