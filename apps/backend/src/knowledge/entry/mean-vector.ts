/** Shorter sums are rounding of vectors that cancel each other out, and point nowhere. */
const LEAST_NORM = 1e-6

/**
 * The mean of vectors, of length 1. Undefined where there is none: no vectors, or such as cancel each other out.
 * @param vectors of one width, each of about length 1, so that each counts the same
 */
export function meanVector(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first] = vectors
  if (first === undefined) return undefined
  const sum = new Float64Array(first.length)
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!
  let square = 0
  for (const value of sum) square += value * value
  const norm = Math.sqrt(square)
  // Compared with the number of vectors: the mean's length is norm / count.
  if (!(norm / vectors.length >= LEAST_NORM)) return undefined
  return Float32Array.from(sum, (value) => value / norm)
}
