/** Judged documents of one query: id to grade; a grade of 1 or more is relevant, 0 and absent are not. */
export type Judgements = ReadonlyMap<string, number>

export const metricNames = ['ndcg@5', 'ndcg@10', 'mrr@10', 'recall@20'] as const
export type MetricName = (typeof metricNames)[number]
export type MetricValues = Readonly<Record<MetricName, number>>

/** All metrics of one ranking: document ids, best first, none twice. Each is in 0..1. */
export function measureRanking(ranking: readonly string[], judgements: Judgements): MetricValues {
  return {
    'ndcg@5': ndcg(ranking, judgements, 5),
    'ndcg@10': ndcg(ranking, judgements, 10),
    'mrr@10': reciprocalRank(ranking, judgements, 10),
    'recall@20': recall(ranking, judgements, 20)
  }
}

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

/** Share of the relevant documents that stand within `depth`; 0 when nothing is relevant. */
export function recall(ranking: readonly string[], judgements: Judgements, depth: number): number {
  const relevant = [...judgements.values()].filter((grade) => grade > 0).length
  if (relevant === 0) return 0
  return ranking.slice(0, depth).filter((id) => (judgements.get(id) ?? 0) > 0).length / relevant
}

/** Mean of each metric over queries; all 0 for none. */
export function meanOfMetrics(values: readonly MetricValues[]): MetricValues {
  const mean = (name: MetricName): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value[name], 0) / values.length
  return {
    'ndcg@5': mean('ndcg@5'),
    'ndcg@10': mean('ndcg@10'),
    'mrr@10': mean('mrr@10'),
    'recall@20': mean('recall@20')
  }
}
