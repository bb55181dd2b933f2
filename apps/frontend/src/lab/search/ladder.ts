import type { SearchMode } from './search-wish.ts'
import type { SearchResponse } from '@oncall-agent/api-contracts'
import { answering, type RungName, rungNames, type SearchStage, stageOf } from './search-answer.ts'

/**
 * What became of one step from strict to lenient: it gave the answer, found nothing, could not run, was not reached
 * (`not_needed`), not wanted by the mode (`not_asked`), or had nothing to look through (`no_scope`).
 */
export type RungState = 'answered' | 'empty' | 'skipped' | 'not_needed' | 'not_asked' | 'no_scope'

export interface Rung {
  readonly name: RungName
  readonly state: RungState
  /** Undefined when it did not run. */
  readonly stage: SearchStage | undefined
}

/** The three steps, whether or not each was taken. */
export function ladderOf(response: SearchResponse, mode: SearchMode): readonly Rung[] {
  const answered = answering(response)?.name
  return rungNames.map((name) => {
    const stage = stageOf(response, name)
    return { name, stage, state: stage === undefined ? absence() : stateOf(stage) }

    function absence(): RungState {
      if (mode !== 'auto' && mode !== name) return 'not_asked'
      return answered === undefined ? 'no_scope' : 'not_needed'
    }
  })
}

function stateOf({ status }: SearchStage): RungState {
  if (status === 'ok') return 'answered'
  return status === 'empty' ? 'empty' : 'skipped'
}
