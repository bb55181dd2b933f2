const UPPER = 1
const LOWER = 2
const DIGIT = 3

function kindOf(unit: number): number {
  if (unit >= 97) return LOWER
  return unit >= 65 ? UPPER : DIGIT
}

/**
 * Pieces of an ASCII word of letters and digits, in its own case: `KubePod2XML` gives `Kube`, `Pod`, `2`, `XML`.
 * In a run of capitals before a lower-case letter the last capital opens the next piece (`HTTPServer`: `HTTP`, `Server`).
 */
export function camelPieces(word: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (start < word.length) {
    const end = endOfPiece(word, start)
    pieces.push(word.slice(start, end))
    start = end
  }
  return pieces
}

function endOfPiece(word: string, start: number): number {
  const kind = kindOf(word.charCodeAt(start))
  const end = endOfKind(word, start, kind)
  if (kind !== UPPER || end === word.length || kindOf(word.charCodeAt(end)) !== LOWER) return end
  return end - start > 1 ? end - 1 : endOfKind(word, end, LOWER)
}

function endOfKind(word: string, start: number, kind: number): number {
  let index = start + 1
  while (index < word.length && kindOf(word.charCodeAt(index)) === kind) index++
  return index
}
