import { type JudgedSearch, ndcg, replaySearch, type TunePoint } from '@oncall-agent/retrieval'

/** How much better one point ranks the same searches than another, in nDCG@10. */
export interface PairedGain {
  readonly mean: number
  /** Standard error of the mean of the differences; 0 for fewer than two searches. */
  readonly standardError: number
}

/** Depth of the gain, documents: one page. */
const DEPTH = 10

/** Compares search by search, so that what makes searches different from each other does not hide what settings do. */
export function pairedGain(searches: readonly JudgedSearch[], from: TunePoint, to: TunePoint): PairedGain {
  const gains = searches.map((search) => scoreOf(search, to) - scoreOf(search, from))
  const count = gains.length
  if (count < 2) return { mean: gains[0] ?? 0, standardError: 0 }
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / count
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (count - 1)
  return { mean, standardError: Math.sqrt(variance / count) }
}

function scoreOf(search: JudgedSearch, point: TunePoint): number {
  return ndcg(replaySearch(search, point), search.judgements, DEPTH)
}
