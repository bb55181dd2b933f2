import type { StructuredRecall } from '../../ports/index.ts'
import { embedQuestion } from './embed-question.ts'
import type { LadderRun } from './ladder-run.ts'
import type { SkipReason } from './structured-answer.ts'

/** How many an approximate engine looks at: so many times `k`, and never fewer than the floor. Both are the contract's. */
const CANDIDATES_PER_HIT = 4
const MIN_CANDIDATES = 100

/** The vector stage: only with a sentence, whose keywords matched nothing. Without a vector it finds nothing. */
export async function findNearest(run: LadderRun): Promise<StructuredRecall> {
  if (run.question.queryText === undefined) return skip(run, 'no_query_text')
  const { vector, skipped } = await embedQuestion(run)
  if (vector === undefined) return skip(run, skipped)
  const startedAt = run.now()
  const { from, size, pairs, filters } = run.question
  // A page behind the first needs the pages before it, so k grows with them.
  const k = from + size
  const numCandidates = Math.max(CANDIDATES_PER_HIT * k, MIN_CANDIDATES)
  const { total, hits } = await run.index.nearest({ vector, k, numCandidates, pairs, filters }, run.signal)
  const status = total === 0 ? 'empty' : 'ok'
  run.stages.push({ name: 'vector_only', status, found: total, tookMs: run.now() - startedAt })
  return { total, hits: hits.slice(from) }
}

function skip(run: LadderRun, reason: SkipReason): StructuredRecall {
  run.stages.push({ name: 'vector_only', status: 'skipped', found: 0, tookMs: 0, reason })
  return { total: 0, hits: [] }
}
