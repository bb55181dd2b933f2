import type { Run } from './run-table.ts'

/** What compaction has to do with a page; what frees most comes first. */
export const WORK_NONE = 0
/** Join its runs of postings into fewer. */
export const WORK_MERGE = 1
/** Move its live chunks to the open page. */
export const WORK_MOVE = 2
/** Delete its rows: no chunk is left. */
export const WORK_REMOVE = 3

/** Runs that are joined at once: each posting is then rewritten about once for every factor of 16 that its run grows. */
const MERGE_RUNS = 16
/** Sizes up to which runs count as small, in slots; one step of growth each. */
const SMALL_RUNS = [16, 256]
/** Slots in coarse runs from which on they become a fine one: a coarse bucket of 1,000 chunks is 50 KB to read a term. */
export const FINE_FROM = 1024
/** Dead slots of a closed page, as a share of its slots, above which the rest moves away. */
const DEAD_SHARE = 0.25

export interface PageCondition {
  readonly used: number
  readonly dead: number
  /** No slot will be added any more. */
  readonly closed: boolean
  /** In slot order. */
  readonly runs: readonly Run[]
}

/** Slots of a page whose runs become one. */
export interface MergeRange {
  readonly from: number
  readonly to: number
  readonly granularity: Run['granularity']
}

export function workOf(page: PageCondition): number {
  if (page.dead === page.used) return WORK_REMOVE
  if (page.closed && page.dead > page.used * DEAD_SHARE) return WORK_MOVE
  return mergeOf(page) === undefined ? WORK_NONE : WORK_MERGE
}

/** Which runs to join next, or undefined when the page is in order. */
export function mergeOf(page: PageCondition): MergeRange | undefined {
  const { runs } = page
  if (page.closed) {
    if (runs.length === 1 && runs[0]!.granularity === 'fine') return undefined
    return { from: 0, to: page.used, granularity: 'fine' }
  }
  const coarse = runs.filter((run) => run.granularity === 'coarse')
  const slots = coarse.reduce((sum, run) => sum + run.slots, 0)
  // Coarse runs stand after the fine ones: joining always takes all of them up to the last.
  if (slots >= FINE_FROM) return { ...rangeOf(coarse), granularity: 'fine' }
  for (const small of SMALL_RUNS) {
    const stretch = stretchOf(coarse, small)
    if (stretch.length >= MERGE_RUNS) return { ...rangeOf(stretch), granularity: 'coarse' }
  }
  return undefined
}

function rangeOf(runs: readonly Run[]): { from: number; to: number } {
  const last = runs.at(-1)!
  return { from: runs[0]!.first, to: last.first + last.slots }
}

/** The longest stretch of neighbours with fewer slots than `below`. */
function stretchOf(runs: readonly Run[], below: number): Run[] {
  let best: Run[] = []
  let current: Run[] = []
  for (const run of runs) {
    current = run.slots < below ? [...current, run] : []
    if (current.length > best.length) best = current
  }
  return best
}
