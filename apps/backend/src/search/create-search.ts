import type { EvidenceAnswer } from '@oncall-agent/retrieval'
import type { Caller } from './caller.ts'
import type { EvidenceParts } from './evidence/evidence-parts.ts'
import type { FinishedRun } from './evidence/record-run.ts'
import { retrieveEvidence } from './evidence/retrieve-evidence.ts'

/** Where runs are kept; the business store has this shape. */
export interface RunStore {
  insert(run: FinishedRun): Promise<void>
}

export interface SearchDependencies {
  readonly parts: EvidenceParts
  readonly runs: RunStore
  /** For the log: the run that could not be stored, and why. */
  readonly onUnrecorded: (runId: string, cause: unknown) => void
}

export interface Search {
  /** A tool bound to one caller: who asks and what they may read is no parameter of a question. */
  toolFor(caller: Caller): RetrievalTool
}

/** @throws AppError VALIDATION_FAILED, AUTH_FORBIDDEN, SYSTEM_UNAVAILABLE, INDEX_MODEL_MISMATCH; the signal's reason */
export type RetrievalTool = (request: unknown, signal?: AbortSignal) => Promise<EvidenceAnswer>

export function createSearch({ parts, runs, onUnrecorded }: SearchDependencies): Search {
  const log = { store: (run: FinishedRun) => runs.insert(run), onUnrecorded }
  return {
    toolFor: (caller) => (request, signal) => retrieveEvidence(request, caller, { parts, log }, signal)
  }
}
