import { type Contender, median, timeInTurn } from '../measure/samples.ts'
import { atMost, type BenchResult, judge } from '../results/bench-result.ts'

/** The same search in two corpora, one ten times the other; the fixed scope has as many chunks in both. */
export interface GrowthContenders {
  readonly smallWhole: Contender
  readonly largeWhole: Contender
  readonly smallFixed: Contender
  readonly largeFixed: Contender
}

/** Searches in the fixed scope take a fraction of a millisecond: a median of fewer would jump. */
const rounds = 100

/** How much longer a branch takes with ten times the chunks: in everything, and in a scope that stays the same. */
export async function growth(branch: string, contenders: GrowthContenders): Promise<readonly BenchResult[]> {
  const samples = await timeInTurn({ ...contenders }, rounds)
  const line = (name: string, small: readonly number[], large: readonly number[], limit: number): BenchResult => {
    const [before, after] = [median(small), median(large)]
    const note = `${before.toFixed(2)} ms, with ten times the chunks ${after.toFixed(2)} ms`
    return judge({ name: `${branch}.${name}`, value: after / before, unit: 'ratio', note }, atMost(limit))
  }
  return [
    line('growth-whole-scope', samples.smallWhole, samples.largeWhole, 10.5),
    line('growth-fixed-scope', samples.smallFixed, samples.largeFixed, 1.2)
  ]
}
