/** Judged documents of one query: id to grade; a grade of 1 or more is relevant, 0 and absent are not. */
export type Judgements = ReadonlyMap<string, number>

/**
 * Normalised discounted cumulated gain over the first `depth` (Järvelin & Kekäläinen 2002, as trec_eval computes it):
 * the gain is the grade itself, the discount log2(rank + 1), the ideal is the best order of all judged documents.
 * 0 when nothing is relevant.
 */
export function ndcg(ranking: readonly string[], judgements: Judgements, depth: number): number {
  const gains = ranking.slice(0, depth).map((id) => Math.max(0, judgements.get(id) ?? 0))
  const ideal = [...judgements.values()]
    .filter((grade) => grade > 0)
    .toSorted((a, b) => b - a)
    .slice(0, depth)
  const best = discounted(ideal)
  return best === 0 ? 0 : discounted(gains) / best
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

/** 1 / rank of the first relevant document within `depth`, else 0. */
export function reciprocalRank(ranking: readonly string[], judgements: Judgements, depth: number): number {
  const index = ranking.slice(0, depth).findIndex((id) => (judgements.get(id) ?? 0) > 0)
  return index < 0 ? 0 : 1 / (index + 1)
}
