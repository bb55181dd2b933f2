/**
 * Cosine of two vectors, -1..1, each of any norm above 0. Summed in double precision and clamped: rounding must give no
 * score beyond 2 and none below 0.
 */
export function cosineOf(left: Float32Array, right: Float32Array): number {
  let dot = 0
  let leftSquares = 0
  let rightSquares = 0
  for (let index = 0; index < left.length; index++) {
    const a = left[index]!
    const b = right[index]!
    dot += a * b
    leftSquares += a * a
    rightSquares += b * b
  }
  return Math.max(-1, Math.min(1, dot / Math.sqrt(leftSquares * rightSquares)))
}

/** cos + 1, 0..2, so that a score is never negative; 0 for a document without a vector. */
export function vectorPartOf(query: Float32Array, vector: Float32Array | undefined): number {
  return vector === undefined ? 0 : cosineOf(query, vector) + 1
}

/** True iff a vector can be compared: of the width, finite, and of a norm above 0. */
export function isComparable(vector: Float32Array, dimension: number): boolean {
  return vector.length === dimension && vector.every(Number.isFinite) && vector.some((value) => value !== 0)
}
