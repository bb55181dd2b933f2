/**
 * Reciprocal rank fusion: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
 * Learning Methods", SIGIR 2009, which also found 60: it keeps a first place from outvoting two middling ones.
 */
export const RRF_K = 60

export interface FuseOptions {
  /** Added to each rank; default `RRF_K`. */
  readonly k?: number
  /** At most so many results. */
  readonly limit: number
}

export interface FusedItem {
  readonly id: string
  /** Sum over the lists of 1 / (k + rank). */
  readonly score: number
  /** Rank from 1 in each list, in the order of the lists; null where the list does not have it. */
  readonly ranks: readonly (number | null)[]
}

/**
 * Fuses ranked lists of ids, best first. In each list only the first appearance of an id counts, and ranks close up.
 * Order: score, then the better of its ranks, then id (by UTF-16 units, so the same everywhere).
 */
export function fuse(lists: readonly (readonly string[])[], options: FuseOptions): FusedItem[] {
  const k = options.k ?? RRF_K
  const ranksOf = new Map<string, (number | null)[]>()
  for (const [list, ids] of lists.entries()) {
    for (const [position, id] of [...new Set(ids)].entries()) {
      let ranks = ranksOf.get(id)
      if (ranks === undefined) {
        ranks = lists.map(() => null)
        ranksOf.set(id, ranks)
      }
      ranks[list] = position + 1
    }
  }
  return Array.from(ranksOf, ([id, ranks]) => ({ id, score: reciprocalSum(ranks, k), ranks }))
    .toSorted(byScoreThenRankThenId)
    .slice(0, options.limit)
}

function reciprocalSum(ranks: readonly (number | null)[], k: number): number {
  // Smallest shares first, so that the sum does not depend on which list came first and equal ranks stay equal.
  const shares = ranks.filter((rank) => rank !== null).toSorted((left, right) => right - left)
  return shares.reduce((sum, rank) => sum + 1 / (k + rank), 0)
}

function byScoreThenRankThenId(left: FusedItem, right: FusedItem): number {
  if (left.score !== right.score) return right.score - left.score
  const ranks = bestRank(left) - bestRank(right)
  if (ranks !== 0) return ranks
  return left.id < right.id ? -1 : 1
}

function bestRank(item: FusedItem): number {
  return Math.min(...item.ranks.filter((rank) => rank !== null))
}
