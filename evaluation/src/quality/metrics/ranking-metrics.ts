import { type Judgements, ndcg, reciprocalRank } from '@oncall-agent/retrieval'

// Tuning of structured search measures with the same two.
export { type Judgements, ndcg, reciprocalRank }

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
