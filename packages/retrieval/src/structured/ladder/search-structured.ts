import type { StructuredRecall } from '../../ports/index.ts'
import { checkScope } from '../../evidence/index.ts'
import type { StructuredQuestion } from '../request/index.ts'
import { bannerOf } from './banners.ts'
import { countFacets } from './count-facets.ts'
import { findNearest } from './find-nearest.ts'
import type { LadderParts, LadderRun } from './ladder-run.ts'
import { matchKeywords } from './match-keywords.ts'
import type { StructuredAnswer } from './structured-answer.ts'
import { findingOf, firstStage, nextStep } from './transitions.ts'
import type { LadderStage, SearchStatus } from './transitions.ts'

const STAGES: Readonly<Record<LadderStage, (run: LadderRun) => Promise<StructuredRecall>>> = {
  strict: (run) => matchKeywords(run, 'strict'),
  loose: (run) => matchKeywords(run, 'loose'),
  vector_only: findNearest
}

/**
 * Contract 2: looks strictly, then loosely, then by meaning, as far as the mode lets it, and says which it was.
 * @throws PortError of the index as it is, so that no fault ever looks like an empty answer; the signal's reason
 */
export async function searchStructured(
  question: StructuredQuestion,
  parts: LadderParts,
  signal?: AbortSignal
): Promise<StructuredAnswer> {
  signal?.throwIfAborted()
  const run: LadderRun = { ...parts, question, signal, stages: [] }
  if (question.pairs.length === 0) return answer(run, 'no_hit', { total: 0, hits: [] })
  let stage = firstStage(question.mode)
  for (;;) {
    const recall = await STAGES[stage](run)
    const step = nextStep(question.mode, stage, findingOf(recall.total, parts.settings.strictMaxHits))
    if (step.end !== undefined) return answer(run, step.end, recall)
    stage = step.goOn
  }
}

async function answer(run: LadderRun, status: SearchStatus, recall: StructuredRecall): Promise<StructuredAnswer> {
  const facets = status === 'too_many' ? await countFacets(run) : {}
  const hits = status === 'too_many' ? [] : recall.hits
  // Defence in depth: the index has scoped these already.
  for (const { document } of hits) checkScope({ ...document, metadata: {} }, { pairs: run.question.pairs })
  const banner = bannerOf(status, run.question.language)
  const failure = run.queryVector?.vector === undefined ? run.queryVector?.failure : undefined
  return {
    status,
    total: recall.total,
    hits,
    ...facets,
    ...(banner === undefined ? {} : { banner }),
    stages: run.stages,
    ...(failure === undefined ? {} : { embedderFailure: failure })
  }
}
