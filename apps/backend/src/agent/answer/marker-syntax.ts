/**
 * What counts as a marker. The stored form is `[n]`; models also write `[1, 2]`, `[1-3]`, `[^1]`, `【1】` and `【1†source】`,
 * which mean the same.
 */
const marker = /^(?:\[|【|［)\^?(\d{1,3}(?:[,，、;；–-] ?\^?\d{1,3})*)(?:†[^\n]*)?(?:\]|】|］)$/
const openers: ReadonlySet<string> = new Set(['[', '【', '［'])
const closers: ReadonlySet<string> = new Set([']', '】', '］'])
const inside = /^[\d^,，、;；– -]$/
/** Characters of a marker; what is longer is none. */
const LONGEST_MARKER = 64
/** Numbers of a range such as `[1-3]`; a wider one is no reference. */
const WIDEST_RANGE = 10

export function opensMarker(char: string): boolean {
  return openers.has(char)
}

export function closesMarker(char: string): boolean {
  return closers.has(char)
}

/** Whether text that could become a marker still could with one more character behind it. */
export function mayContinue(held: string, char: string): boolean {
  if (held.length >= LONGEST_MARKER || char === '\n') return false
  if (held.includes('†')) return true
  if (char === '†') return /\d$/.test(held)
  return inside.test(char) && (held.length > 1 || char === '^' || (char >= '0' && char <= '9'))
}

/** The numbers that a whole marker names, in its order; undefined for what is no marker. */
export function numbersOf(text: string): readonly number[] | undefined {
  const list = marker.exec(text)?.[1]
  if (list === undefined) return undefined
  const numbers: number[] = []
  for (const part of list.split(/[,，、;；]/)) {
    const [first = 0, last = first] = part.split(/[–-]/).map((digits) => Number(digits.replace('^', '').trim()))
    if (last < first || last - first >= WIDEST_RANGE) return undefined
    for (let number = first; number <= last; number += 1) numbers.push(number)
  }
  return [...new Set(numbers)]
}

/** Letters of scripts that put blanks between words: there `a[1]` is an index, while `重启[1]` is a reference. */
const letter = /[\p{L}\p{N}_]/u
const withoutBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}〇々ー]/u

/** Whether a bracket right behind this character belongs to a word. */
export function endsWord(char: string): boolean {
  return letter.test(char) && !withoutBlanks.test(char)
}
