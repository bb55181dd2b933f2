/** Decimal digits that tell every float32 from its neighbours; fewer bytes than those of a double. */
const FLOAT32_DIGITS = 9

/** The vector's direction, with norm 1, as numbers that JSON writes briefly. Its norm is above 0. */
export function unitVector(vector: Float32Array): number[] {
  // Scaled first: squares of the largest float32 numbers add up beyond it, and those of the smallest vanish.
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  let squares = 0
  for (const value of vector) squares += (value / largest) ** 2
  const norm = largest * Math.sqrt(squares)
  return Array.from(vector, (value) => Number((value / norm).toPrecision(FLOAT32_DIGITS)))
}
