import type { ClauseMatch, MatchRequest, StructuredRecall } from '../../ports/index.ts'
import { looseClause, strictClause } from '../scoring/index.ts'
import { embedQuestion } from './embed-question.ts'
import type { LadderRun } from './ladder-run.ts'
import type { SkipReason } from './structured-answer.ts'

/** Every keyword, all of its tokens in one field. */
export function strictMatch({ question }: LadderRun): ClauseMatch {
  return { mode: 'all', clauses: question.keywords.map(({ tokens }) => strictClause(tokens)) }
}

/** At least one keyword, most of its tokens in one field. */
function looseMatch({ question, settings }: LadderRun): ClauseMatch {
  return { mode: 'any', clauses: question.keywords.map(({ tokens }) => looseClause(tokens, settings.looseMinMatch)) }
}

/** The strict and the loose stage: recall by keywords, rescored where there is a vector to do it with. */
export async function matchKeywords(run: LadderRun, name: 'strict' | 'loose'): Promise<StructuredRecall> {
  const { from, size, pairs, filters } = run.question
  const { rescore, skipped } = await rescoring(run)
  const startedAt = run.now()
  const recall = await run.index.match(
    {
      ...(name === 'strict' ? strictMatch(run) : looseMatch(run)),
      pairs,
      filters,
      from,
      size,
      titleBoost: run.settings.titleBoost,
      ...(rescore === undefined ? {} : { rescore })
    },
    run.signal
  )
  run.stages.push({
    name,
    status: recall.total === 0 ? 'empty' : 'ok',
    found: recall.total,
    tookMs: run.now() - startedAt,
    ...(skipped === undefined ? { rescore: 'done' } : { rescore: 'skipped', reason: skipped })
  })
  return recall
}

async function rescoring(run: LadderRun): Promise<{ rescore?: MatchRequest['rescore']; skipped?: SkipReason }> {
  const { rrfWindow, vectorWeight } = run.settings
  if (vectorWeight === 0) return { skipped: 'weight_is_zero' }
  const { vector, skipped } = await embedQuestion(run)
  if (vector === undefined) return { skipped }
  return { rescore: { vector, window: rrfWindow, weight: vectorWeight } }
}
