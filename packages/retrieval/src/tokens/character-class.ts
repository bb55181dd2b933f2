/** What a UTF-16 unit or code point is to tokens v1. */
export const OTHER = 0
/** A letter or digit of any script but CJK. */
export const WORD = 1
/** Han with its compatibility and astral planes, kana, Hangul syllables. */
export const CJK = 2
/** May stand inside an identifier, between two words. */
export const JOINER = 3

const BMP_SIZE = 0x10000
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u
const JOINERS = '._:/-'

/** Inclusive ranges of code points; tokens v1 fixes them, whatever later Unicode versions add. */
const CJK_RANGES: readonly (readonly [number, number])[] = [
  [0x3040, 0x30ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7af],
  [0xf900, 0xfaff],
  [0x20000, 0x2fa1f],
  [0x30000, 0x323af]
]

function classify(codePoint: number): number {
  if (CJK_RANGES.some(([first, last]) => codePoint >= first && codePoint <= last)) return CJK
  const character = String.fromCodePoint(codePoint)
  if (JOINERS.includes(character)) return JOINER
  return LETTER_OR_DIGIT.test(character) ? WORD : OTHER
}

// One byte a unit of the basic plane: a table look-up instead of a regular expression for each character.
// Surrogate units classify as OTHER here; pairs are asked for as code points.
const BASIC_PLANE = Uint8Array.from({ length: BMP_SIZE }, (_, unit) => classify(unit))

/** Class of the code point that starts at `index`, and how many UTF-16 units it takes, packed as `class | units << 2`. */
export function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  if (unit < 0xd800 || unit > 0xdbff) return BASIC_PLANE[unit]! | 4
  const codePoint = text.codePointAt(index)!
  if (codePoint < BMP_SIZE) return OTHER | 4
  return classify(codePoint) | 8
}
