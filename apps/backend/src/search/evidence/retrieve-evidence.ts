import type { EvidenceAnswer, StageName, StageTrace } from '@oncall-agent/retrieval'
import type { Caller } from '../caller.ts'
import { checkRequest } from './check-request.ts'
import { evidenceFailure } from './evidence-failure.ts'
import { citations, evidenceHits } from './evidence-hit.ts'
import type { EvidenceParts } from './evidence-parts.ts'
import type { EvidenceRun } from './evidence-run.ts'
import { type Ranking, rankCandidates } from './rank-candidates.ts'
import { recordRun, type RunLog } from './record-run.ts'
import { StageFailure, StageLog } from './stage-log.ts'

/**
 * Contract 1: at most five pieces of evidence, or a typed error, and never anything in between.
 * @throws AppError VALIDATION_FAILED, AUTH_FORBIDDEN, SYSTEM_UNAVAILABLE, INDEX_MODEL_MISMATCH; the signal's reason
 */
export async function retrieveEvidence(
  input: unknown,
  caller: Caller,
  room: { readonly parts: EvidenceParts; readonly log: RunLog },
  callerSignal?: AbortSignal
): Promise<EvidenceAnswer> {
  const question = checkRequest(input, caller)
  const stop = new AbortController()
  const bounds = [
    AbortSignal.timeout(room.parts.limits.deadlineMs),
    stop.signal,
    ...(callerSignal ? [callerSignal] : [])
  ]
  const run: EvidenceRun = {
    question,
    parts: room.parts,
    stages: new StageLog(room.parts.onStage),
    signal: AbortSignal.any(bounds)
  }
  try {
    const ranking = question.scope.pairs.length === 0 ? undefined : await rankCandidates(run)
    return await answer(run, ranking, caller, room.log)
  } catch (cause) {
    if (callerSignal?.aborted) throw callerSignal.reason
    throw await failure(run, cause, caller, room.log)
  } finally {
    // Whatever still runs (a branch whose sister failed, work past its deadline) has no reader any more.
    stop.abort()
  }
}

async function answer(
  run: EvidenceRun,
  ranking: Ranking | undefined,
  caller: Caller,
  log: RunLog
): Promise<EvidenceAnswer> {
  const ranked = ranking?.ranked ?? []
  const results = evidenceHits(ranked)
  const stages = stageLines(run)
  const runId = await recordRun(run, caller, { ranking, results, stages, failure: null }, log)
  const { query, topK } = run.question
  return { query, topK, results, citations: citations(ranked, results), stages, runId }
}

async function failure(run: EvidenceRun, cause: unknown, caller: Caller, log: RunLog): Promise<Error> {
  const stages = stageLines(run)
  const stage = cause instanceof StageFailure ? cause.stage : 'deadline'
  const code = evidenceFailure(cause, stages, null).code
  const outcome = { ranking: undefined, results: [], stages, failure: { code, stage } }
  const runId = await recordRun(run, caller, outcome, log)
  return evidenceFailure(cause, stages, runId)
}

function stageLines({ stages, parts }: EvidenceRun): readonly StageTrace[] {
  const engines: Record<StageName, string> = {
    embed: parts.embedder.fingerprint.model,
    vector: parts.index.engine,
    lexical: parts.index.engine,
    fuse: 'rrf',
    rerank: parts.reranker.name
  }
  return stages.lines((name) => engines[name])
}
