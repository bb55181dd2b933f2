import { bootstrapMean, comparePaired, type PairedComparison } from '../metrics/bootstrap.ts'
import { type BrierReport, brierScore } from '../metrics/brier.ts'
import { meanOfMetrics, type MetricName, type MetricValues, metricNames } from '../metrics/ranking-metrics.ts'
import type { EvaluationSet } from '../sets/evaluation-set.ts'
import type { SetMeasurement } from './measure-set.ts'
import { type Chunking, type StageName, stageNames } from './stage-name.ts'

type OfStages<T> = Readonly<Partial<Record<StageName, T>>>

/** The answer of `oncall eval --json`; names bind (interfaces that others script against). */
export interface SetResult {
  readonly set: string
  readonly half: string
  readonly chunking: Chunking
  readonly queries: number
  readonly documents: number
  readonly chunks: number
  /** Documents that the product takes no text from; they count in recall all the same. */
  readonly refused: number
  readonly stages: OfStages<MetricValues>
  /** 95 % bootstrap bounds of each mean: low, high. */
  readonly intervals: OfStages<Readonly<Record<MetricName, readonly [number, number]>>>
  /** Paired differences of nDCG@10, reranked against the others; absent unless those stages were measured. */
  readonly comparisons?: RerankComparisons
  /** Of the reranked score against the judgements; absent unless reranked. */
  readonly brier?: BrierReport
}

export interface RerankComparisons {
  readonly fused: PairedComparison
  /** Against the branch with the higher mean. */
  readonly betterBranch: PairedComparison & { readonly branch: 'lexical' | 'vector' }
}

/** Decimals of what is printed: rounding them once more to three must not move a third digit. */
const decimals = 6

/** How a set was indexed. */
export interface SetRun {
  readonly chunking: Chunking
  readonly chunks: number
  readonly refused: number
}

/** Means, intervals and comparisons of one measured set. */
export function summariseSet(set: EvaluationSet, run: SetRun, measured: SetMeasurement): SetResult {
  const { perQuery, forecasts } = measured
  const stages = stageNames.filter((stage) => perQuery[stage] !== undefined)
  const comparisons = compareReranked(perQuery)
  return {
    set: set.name,
    half: set.half,
    chunking: run.chunking,
    queries: set.queries.length,
    documents: set.documents.length,
    chunks: run.chunks,
    refused: run.refused,
    stages: Object.fromEntries(stages.map((stage) => [stage, rounded(meanOfMetrics(perQuery[stage]!))])),
    intervals: Object.fromEntries(stages.map((stage) => [stage, boundsOf(perQuery[stage]!)])),
    ...(comparisons === undefined ? {} : { comparisons }),
    ...(forecasts.length === 0 ? {} : { brier: brierScore(forecasts) })
  }
}

/** nDCG@10 is what the goals speak of, so it is what is compared. */
function compareReranked(perQuery: SetMeasurement['perQuery']): RerankComparisons | undefined {
  const { lexical, vector, fused, reranked } = perQuery
  if (!lexical || !vector || !fused || !reranked) return undefined
  const branch = meanNdcg(lexical) > meanNdcg(vector) ? 'lexical' : 'vector'
  const against = (other: readonly MetricValues[]): PairedComparison =>
    comparePaired(
      reranked.map((value) => value['ndcg@10']),
      other.map((value) => value['ndcg@10'])
    )
  return { fused: against(fused), betterBranch: { branch, ...against(branch === 'lexical' ? lexical : vector) } }
}

function meanNdcg(values: readonly MetricValues[]): number {
  return meanOfMetrics(values)['ndcg@10']
}

function boundsOf(values: readonly MetricValues[]): Readonly<Record<MetricName, readonly [number, number]>> {
  const bounds = metricNames.map((name) => {
    const { low, high } = bootstrapMean(values.map((value) => value[name]))
    return [name, [round(low), round(high)]] as const
  })
  return Object.fromEntries(bounds) as Record<MetricName, readonly [number, number]>
}

function rounded(values: MetricValues): MetricValues {
  return Object.fromEntries(metricNames.map((name) => [name, round(values[name])])) as Record<MetricName, number>
}

function round(value: number): number {
  return Number(value.toFixed(decimals))
}
