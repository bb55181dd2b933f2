import type { CorpusOrder, FoundEntry } from './corpus-order.ts'

export interface ScoredEntry extends FoundEntry {
  readonly score: number
}

/**
 * The best `limit` of some entries: by -score, equal ones in corpus order. Only what ties is put into corpus order, and of
 * those that tie at the end only as many as there is room for.
 */
export function topEntries<Item extends ScoredEntry>(
  candidates: readonly Item[],
  limit: number,
  order: CorpusOrder
): Item[] {
  const best = candidates.toSorted((left, right) => right.score - left.score)
  const top: Item[] = []
  for (let from = 0; from < best.length && top.length < limit;) {
    let to = from + 1
    while (to < best.length && best[to]!.score === best[from]!.score) to++
    top.push(...order.first(best.slice(from, to), limit - top.length))
    from = to
  }
  return top
}
