import { ndcg, reciprocalRank } from '../../metrics/index.ts'
import { replaySearch } from './replay-search.ts'
import type { JudgedSearch, TunePoint } from './replay-search.ts'
import { splitHalves } from './split-halves.ts'

/** Values to try of each setting; every combination is one point. */
export interface TuneGrid {
  readonly titleBoosts: readonly number[]
  readonly vectorWeights: readonly number[]
  readonly rrfWindows: readonly number[]
}

/** Around the defaults: 5 × 7 × 4 points, which a thousand judged searches replay in seconds. */
export const DEFAULT_TUNE_GRID: TuneGrid = {
  titleBoosts: [1, 2, 3, 5, 8],
  vectorWeights: [0, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95],
  rrfWindows: [20, 50, 100, 200]
}

/** Means over searches, 0..1; 0 for none. */
export interface TuneScores {
  readonly ndcg10: number
  /** Over the whole replayed ranking. */
  readonly mrr: number
}

export interface TuneRow extends TuneScores {
  readonly point: TunePoint
}

export interface TuneReport {
  /** How many searches each half has. */
  readonly searches: { readonly tuned: number; readonly heldOut: number }
  readonly current: TunePoint
  /** The best point of the tuned half; the current one unless another is better there. */
  readonly suggested: TunePoint
  /** Both points on the half that nothing was chosen on. */
  readonly heldOut: { readonly before: TuneScores; readonly after: TuneScores }
  /** Every point on the tuned half, best first. */
  readonly rows: readonly TuneRow[]
}

/** Depth of the gain, documents: one page. */
const NDCG_DEPTH = 10

/**
 * Replays judged searches over a grid and suggests; changes nothing.
 * @throws PortError `invalid-argument` when a search lacks the recall of a title boost of the grid or of `current`
 */
export function tune(searches: readonly JudgedSearch[], grid: TuneGrid, current: TunePoint): TuneReport {
  const { tuned, heldOut } = splitHalves(searches)
  // The current point is first and the order is stable, so another has to be better to be suggested.
  const points = [current, ...pointsOf(grid).filter((point) => !isSame(point, current))]
  const rows = points.map((point) => ({ point, ...scoresOf(tuned, point) })).toSorted(byScores)
  const suggested = rows[0]!.point
  return {
    searches: { tuned: tuned.length, heldOut: heldOut.length },
    current,
    suggested,
    heldOut: { before: scoresOf(heldOut, current), after: scoresOf(heldOut, suggested) },
    rows
  }
}

function pointsOf({ titleBoosts, vectorWeights, rrfWindows }: TuneGrid): TunePoint[] {
  return titleBoosts.flatMap((titleBoost) =>
    vectorWeights.flatMap((vectorWeight) => rrfWindows.map((rrfWindow) => ({ titleBoost, vectorWeight, rrfWindow })))
  )
}

function isSame(left: TunePoint, right: TunePoint): boolean {
  return (
    left.titleBoost === right.titleBoost &&
    left.vectorWeight === right.vectorWeight &&
    left.rrfWindow === right.rrfWindow
  )
}

function scoresOf(searches: readonly JudgedSearch[], point: TunePoint): TuneScores {
  let gain = 0
  let reciprocal = 0
  for (const search of searches) {
    const ranking = replaySearch(search, point)
    gain += ndcg(ranking, search.judgements, NDCG_DEPTH)
    reciprocal += reciprocalRank(ranking, search.judgements, ranking.length)
  }
  const count = Math.max(1, searches.length)
  return { ndcg10: gain / count, mrr: reciprocal / count }
}

function byScores(left: TuneRow, right: TuneRow): number {
  return right.ndcg10 - left.ndcg10 || right.mrr - left.mrr
}
