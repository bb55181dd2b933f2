/**
 * One vector of both models: [centred E5 ; √0.7 · USE], each part of norm 1, the whole normalised again.
 * Its dot products are (E5 cosine + 0.7 · USE cosine) / 1.7, so one index searches both, and a stored vector
 * still tells the two cosines apart.
 */
export const E5_WIDTH = 384
export const USE_WIDTH = 512
export const COMPOSITE_WIDTH = E5_WIDTH + USE_WIDTH
/** Weight of USE beside E5, chosen on two sets (ops .859, cross-lingual XQuAD .67/.71). */
const USE_WEIGHT = 0.7

export function normalise(vector: Float32Array): Float32Array<ArrayBuffer> {
  let square = 0
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0
  // A loop: `Float32Array.from` with a function takes ten times as long.
  const unit = new Float32Array(vector.length)
  for (let i = 0; i < vector.length; i++) unit[i] = vector[i]! * scale
  return unit
}

/** @param e5 centred, norm 1. @param use norm 1 */
export function composeVector(e5: Float32Array, use: Float32Array): Float32Array<ArrayBuffer> {
  const vector = new Float32Array(COMPOSITE_WIDTH)
  vector.set(e5)
  const weight = Math.sqrt(USE_WEIGHT)
  for (let i = 0; i < USE_WIDTH; i++) vector[E5_WIDTH + i] = weight * use[i]!
  return normalise(vector)
}

export interface PartCosines {
  readonly e5: number
  readonly use: number
}

/** Cosine of each part of two composite vectors; 0 where a part is empty. */
export function partCosines(a: Float32Array, b: Float32Array): PartCosines {
  return { e5: cosine(a, b, 0, E5_WIDTH), use: cosine(a, b, E5_WIDTH, COMPOSITE_WIDTH) }
}

function cosine(a: Float32Array, b: Float32Array, from: number, to: number): number {
  let [dot, left, right] = [0, 0, 0]
  for (let i = from; i < to; i++) {
    dot += a[i]! * b[i]!
    left += a[i]! ** 2
    right += b[i]! ** 2
  }
  return left > 0 && right > 0 ? dot / Math.sqrt(left * right) : 0
}
