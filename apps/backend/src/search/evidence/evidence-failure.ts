import { AppError, type ErrorCode, fixedMessages } from '@oncall-agent/api-contracts'
import { PortError, type StageTrace } from '@oncall-agent/retrieval'
import { StageFailure } from './stage-log.ts'

/** Turns whatever ended a run into the typed error of contract 1; the cause stays inside for the log. */
export function evidenceFailure(cause: unknown, stages: readonly StageTrace[], runId: string | null): AppError {
  const stage = cause instanceof StageFailure ? cause.stage : undefined
  const inner = cause instanceof StageFailure ? cause.cause : cause
  const context = { operation: 'retrieve evidence', subject: stage ?? 'deadline', details: { stages, runId }, cause }
  if (inner instanceof PortError && inner.failure === 'model-mismatch') {
    // Names both models: the one who reads it must know which to configure.
    return new AppError('INDEX_MODEL_MISMATCH', { ...context, message: inner.message, hint: inner.hint })
  }
  const code: ErrorCode = 'SYSTEM_UNAVAILABLE'
  // What failed, and nothing about whose machine or why.
  const { rerankingUnavailable, retrievalUnavailable } = fixedMessages
  const message = stage === 'rerank' ? rerankingUnavailable.en : retrievalUnavailable.en
  return new AppError(code, { ...context, message })
}
