import type { Forecast } from '../metrics/brier.ts'
import { type MetricValues, measureRanking } from '../metrics/ranking-metrics.ts'
import type { EvaluationSet } from '../sets/evaluation-set.ts'
import type { RankQuery, StageRankings } from './rank-query.ts'
import type { StageName } from './stage-name.ts'

/** What one evaluation of a set measured, query by query, in the order of the set's queries. */
export interface SetMeasurement {
  readonly perQuery: Readonly<Partial<Record<StageName, readonly MetricValues[]>>>
  /** Every reranked candidate's probability with its judgement; empty when nothing was reranked. */
  readonly forecasts: readonly Forecast[]
}

/** Who watches, and may stop it. */
export interface MeasureWatch {
  readonly signal: AbortSignal
  readonly onQuery: (done: number, total: number) => void
}

/** Asks every query of a set and measures the lists of the wanted stages. */
export async function measureSet(
  set: EvaluationSet,
  stages: readonly StageName[],
  rank: RankQuery,
  watch: MeasureWatch
): Promise<SetMeasurement> {
  const perQuery: Partial<Record<StageName, MetricValues[]>> = {}
  const forecasts: Forecast[] = []
  // One after another: queries share the machine’s cores with the models, and order keeps the memory flat.
  for (const [position, query] of set.queries.entries()) {
    const judgements = set.judgements.get(query.id)!
    const rankings = await rank(query.text, watch.signal)
    for (const stage of stages) {
      const documents = rankings[stage]!.map((each) => each.documentId)
      const values = (perQuery[stage] ??= [])
      values.push(measureRanking(documents, judgements))
    }
    if (stages.includes('reranked')) forecasts.push(...forecastsOf(rankings, judgements))
    watch.onQuery(position + 1, set.queries.length)
  }
  return { perQuery, forecasts }
}

/** Each reranked document with what its score claims; all candidates, not only the first ones. */
function forecastsOf(rankings: StageRankings, judgements: ReadonlyMap<string, number>): readonly Forecast[] {
  return (rankings.reranked ?? []).map(({ documentId, score }) => ({
    probability: score ?? 0,
    relevant: (judgements.get(documentId) ?? 0) > 0
  }))
}
