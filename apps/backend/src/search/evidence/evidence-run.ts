import type { EvidenceParts } from './evidence-parts.ts'
import type { Question } from './question.ts'
import type { StageLog } from './stage-log.ts'

/** What every stage of one retrieval is given. */
export interface EvidenceRun {
  readonly question: Question
  readonly parts: EvidenceParts
  readonly stages: StageLog
  /** The caller's, inside the total deadline. */
  readonly signal: AbortSignal
}
