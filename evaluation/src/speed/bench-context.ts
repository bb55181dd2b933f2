import type { Progress } from '../cli/progress.ts'
import type { BenchResult } from './results/bench-result.ts'

/** What every benchmark is given. */
export interface BenchContext {
  /** Chunks of the large corpus; the small one for growth has a tenth. */
  readonly chunks: number
  readonly cacheDirectory: string
  readonly progress: Progress
  readonly signal: AbortSignal
}

export type Benchmark = (context: BenchContext) => Promise<readonly BenchResult[]>

/** A hundredth of the corpus, and the same number in the corpus of a tenth: the scope that does not grow. */
export function fixedChunksOf(chunks: number): number {
  return Math.max(1, Math.round(chunks / 100))
}

/** Chunks of the corpus that growth is measured from. */
export function smallerCorpusOf(chunks: number): number {
  return Math.round(chunks / 10)
}

/** Below this many chunks a benchmark only proves that it works: it takes seconds, and its figures mean little. */
const meaningfulChunks = 10_000

/** How often to do something whose cost does not depend on the size of the corpus. */
export function effort(context: Pick<BenchContext, 'chunks'>, full: number, quick: number): number {
  return context.chunks >= meaningfulChunks ? full : quick
}
