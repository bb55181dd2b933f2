import type { Run } from './run-table.ts'

/** What compaction has to do with a page; what frees most comes first. */
export const WORK_NONE = 0
/** Join its runs further, for readers' sake, when there is nothing else to do. */
export const WORK_SETTLE = 1
/** Join its runs of postings, for they are many. */
export const WORK_MERGE = 2
/** Move its live chunks to the open page. */
export const WORK_MOVE = 3
/** Delete its rows: no chunk is left. */
export const WORK_REMOVE = 4

/** Small runs that are joined while writes go on: each posting is then rewritten once for a factor of 16 in its run. */
const MERGE_RUNS = 16
/** A run below this many slots is small. */
const SMALL_RUN = 16
/** Slots in coarse runs from which on they become a fine one: a coarse row of 256 chunks is 16 KB to read a term. */
export const FINE_FROM = 256
/** Runs of one granularity that the open page is left with less than, once the writer is idle. */
const SETTLE_RUNS = 4
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
  if (urgentMerge(page) !== undefined) return WORK_MERGE
  return settlingMerge(page) === undefined ? WORK_NONE : WORK_SETTLE
}

/** Which runs to join next, or undefined when the page is in order. */
export function mergeOf(page: PageCondition): MergeRange | undefined {
  return urgentMerge(page) ?? settlingMerge(page)
}

function urgentMerge(page: PageCondition): MergeRange | undefined {
  const { runs } = page
  if (page.closed) {
    if (runs.length === 1 && runs[0]!.granularity === 'fine') return undefined
    return { from: 0, to: page.used, granularity: 'fine' }
  }
  const coarse = runsOf(page, 'coarse')
  if (slotsOf(coarse) >= FINE_FROM) return { ...rangeOf(coarse), granularity: 'fine' }
  const small = stretchOf(coarse, SMALL_RUN)
  return small.length < MERGE_RUNS ? undefined : { ...rangeOf(small), granularity: 'coarse' }
}

/** In the open page the fine runs come first, since joining takes all coarse runs up to the last. */
function settlingMerge(page: PageCondition): MergeRange | undefined {
  for (const granularity of ['coarse', 'fine'] as const) {
    const runs = runsOf(page, granularity)
    if (runs.length >= SETTLE_RUNS) return { ...rangeOf(runs), granularity }
  }
  return undefined
}

function runsOf(page: PageCondition, granularity: Run['granularity']): Run[] {
  return page.runs.filter((run) => run.granularity === granularity)
}

function slotsOf(runs: readonly Run[]): number {
  return runs.reduce((sum, run) => sum + run.slots, 0)
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
