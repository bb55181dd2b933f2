import { CJK, classAt, JOINER, WORD } from './character-class.ts'

/** Called for each run, left to right, with its span in UTF-16 units. */
export type RunVisitor = (start: number, end: number, isCjk: boolean) => void

/**
 * Walks the runs of a text that is already in NFKC: either characters of CJK, or words of any other script
 * joined by inner `.` `_` `:` `/` `-`. A run of one kind ends where the other begins; joiners at its ends are not part.
 */
export function visitRuns(text: string, visit: RunVisitor): void {
  let index = 0
  while (index < text.length) {
    const packed = classAt(text, index)
    const kind = packed & 3
    if (kind === CJK) {
      const end = endOfClass(text, index, CJK)
      visit(index, end, true)
      index = end
    } else if (kind === WORD) {
      const end = endOfIdentifier(text, index)
      visit(index, end, false)
      index = end
    } else {
      index += packed >> 2
    }
  }
}

function endOfIdentifier(text: string, start: number): number {
  let end = endOfClass(text, start, WORD)
  for (;;) {
    const afterJoiners = endOfClass(text, end, JOINER)
    if (afterJoiners === end || afterJoiners === text.length) return end
    const next = endOfClass(text, afterJoiners, WORD)
    if (next === afterJoiners) return end
    end = next
  }
}

function endOfClass(text: string, start: number, wanted: number): number {
  let index = start
  while (index < text.length) {
    const packed = classAt(text, index)
    if ((packed & 3) !== wanted) break
    index += packed >> 2
  }
  return index
}
