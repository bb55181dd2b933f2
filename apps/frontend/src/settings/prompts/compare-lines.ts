/** A line of two texts put beside each other. */
export interface ComparedLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Lines in a row that are shown, or so many that are left out because nothing changed near them. */
export type Stretch = { readonly lines: readonly ComparedLine[] } | { readonly left: number }

/** Cells of the table below: 8 MB of memory, a tenth of a second. Longer texts are shown as wholly replaced. */
const CELLS_LIMIT = 4_000_000
/** Unchanged lines kept before and after a change, to read it in its place. */
const CONTEXT = 3

/**
 * What changed from one text to another, line by line: the longest lines in common stay, the rest was removed or added.
 * A removed line stands before the one that was added in its place.
 */
export function compareLines(before: string, after: string): readonly ComparedLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head++
  let tail = 0
  const rest = Math.min(old.length, fresh.length) - head
  while (tail < rest && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  return [
    ...old.slice(0, head).map(same),
    ...compareMiddle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...old.slice(old.length - tail).map(same)
  ]
}

/** The changed lines with a few around them; what lies between is only counted. */
export function foldSame(lines: readonly ComparedLine[]): readonly Stretch[] {
  const near = lines.map(() => false)
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') near.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1)
  const stretches: Stretch[] = []
  let from = 0
  for (let at = 1; at <= lines.length; at++) {
    if (at < lines.length && near[at] === near[from]) continue
    // One line alone is shown: a note that it is left out would be as long.
    stretches.push(near[from] || at - from === 1 ? { lines: lines.slice(from, at) } : { left: at - from })
    from = at
  }
  return stretches
}

const same = (text: string): ComparedLine => ({ kind: 'same', text })
const removed = (text: string): ComparedLine => ({ kind: 'removed', text })
const added = (text: string): ComparedLine => ({ kind: 'added', text })

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/\r\n|\r|\n/)
}

function compareMiddle(old: readonly string[], fresh: readonly string[]): readonly ComparedLine[] {
  if (old.length * fresh.length > CELLS_LIMIT) return [...old.map(removed), ...fresh.map(added)]
  const width = fresh.length + 1
  // At [i, j]: how many lines the rests from i and from j have in common at most.
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === fresh[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const lines: ComparedLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push(same(old[i]!))
      i++
      j++
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) lines.push(removed(old[i++]!))
    else lines.push(added(fresh[j++]!))
  }
  return [...lines, ...old.slice(i).map(removed), ...fresh.slice(j).map(added)]
}
