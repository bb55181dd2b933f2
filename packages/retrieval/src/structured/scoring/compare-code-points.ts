/** Order by code points, which is that of UTF-8 bytes: how engines sort, unlike `<` on astral characters. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    if (left.charCodeAt(index) === right.charCodeAt(index)) continue
    // At the second half of a pair both halves before were equal, so the units themselves decide.
    return left.codePointAt(index)! - right.codePointAt(index)!
  }
  return left.length - right.length
}
