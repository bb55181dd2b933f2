import type { SearchMode } from '../request/index.ts'

/** How strict a look at the index is. */
export type LadderStage = 'strict' | 'loose' | 'vector_only'

/** What the caller is told; a fixed contract, never renamed. */
export type SearchStatus = 'strict_hit' | 'too_many' | 'loose_hit' | 'vector_only' | 'no_hit'

/** What a stage found: `many` is more documents than `strictMaxHits`. */
export type Finding = 'none' | 'few' | 'many'

export type Step = { readonly goOn: LadderStage; readonly end?: undefined } | { readonly end: SearchStatus }

type Transitions = Readonly<Record<LadderStage, Readonly<Record<Finding, Step>>>>

// The vector stage finds nothing by itself where there is no sentence to look with, so no row asks for one.
const AUTO: Transitions = {
  strict: { none: goOn('loose'), few: end('strict_hit'), many: end('too_many') },
  loose: { none: goOn('vector_only'), few: end('loose_hit'), many: end('loose_hit') },
  vector_only: { none: end('no_hit'), few: end('vector_only'), many: end('vector_only') }
}

/** A mode that names a stage: the same ends, and no way on. */
const ALONE: Transitions = {
  strict: { ...AUTO.strict, none: end('no_hit') },
  loose: { ...AUTO.loose, none: end('no_hit') },
  vector_only: AUTO.vector_only
}

export function firstStage(mode: SearchMode): LadderStage {
  return mode === 'auto' ? 'strict' : mode
}

export function nextStep(mode: SearchMode, stage: LadderStage, finding: Finding): Step {
  return (mode === 'auto' ? AUTO : ALONE)[stage][finding]
}

export function findingOf(total: number, strictMaxHits: number): Finding {
  if (total === 0) return 'none'
  return total <= strictMaxHits ? 'few' : 'many'
}

function goOn(stage: LadderStage): Step {
  return { goOn: stage }
}

function end(status: SearchStatus): Step {
  return { end: status }
}
