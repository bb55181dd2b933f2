import { seededRandom } from '../../random/seeded-random.ts'

/** Resamples that intervals rest on: the 95 % bounds move by less than a tenth of the interval from seed to seed. */
const defaultResamples = 2000
const defaultSeed = 20_260_101
/** Width of the reported intervals. */
export const confidence = 0.95

export interface Interval {
  readonly mean: number
  /** 2.5 % and 97.5 % percentiles of the resampled mean. */
  readonly low: number
  readonly high: number
}

export interface BootstrapOptions {
  readonly resamples?: number
  readonly seed?: number
}

/**
 * Percentile bootstrap of a mean (Efron & Tibshirani 1993, ch. 13): queries are drawn with replacement.
 * The same values, seed and resamples give the same interval. @throws RangeError for no values
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions = {}): Interval {
  if (values.length === 0) throw new RangeError('a bootstrap interval needs at least one value')
  const { resamples = defaultResamples, seed = defaultSeed } = options
  const random = seededRandom(seed)
  const means = new Float64Array(resamples)
  for (let sample = 0; sample < resamples; sample++) {
    let sum = 0
    for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)]!
    means[sample] = sum / values.length
  }
  means.sort()
  const tail = (1 - confidence) / 2
  return { mean: average(values), low: percentile(means, tail), high: percentile(means, 1 - tail) }
}

export interface PairedComparison extends Interval {
  /** What the interval says of `first - second`: entirely above 0, entirely below, or neither. */
  readonly verdict: 'better' | 'worse' | 'undecided'
}

/** Paired bootstrap of `first[i] - second[i]`, one pair a query. @throws RangeError for unequal lengths or none */
export function comparePaired(
  first: readonly number[],
  second: readonly number[],
  options: BootstrapOptions = {}
): PairedComparison {
  if (first.length !== second.length) throw new RangeError('a paired comparison needs two values a query')
  const interval = bootstrapMean(
    first.map((value, index) => value - second[index]!),
    options
  )
  const verdict = interval.low > 0 ? 'better' : interval.high < 0 ? 'worse' : 'undecided'
  return { ...interval, verdict }
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Linear interpolation between order statistics (type 7 of Hyndman & Fan 1996). */
function percentile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!)
}
