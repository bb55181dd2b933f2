import { randomUUID } from 'node:crypto'
import type { Caller } from '../caller.ts'
import type { EvidenceRun } from './evidence-run.ts'
import { type RunOutcome, type RunRecord, runRecord } from './run-record.ts'

/** A run on its way to the store. */
export interface FinishedRun {
  readonly runId: string
  readonly tenantId: string
  readonly userId: string
  readonly createdAt: number
  readonly query: string
  readonly outcome: 'ok' | 'empty' | 'failed'
  readonly record: RunRecord
}

export interface RunLog {
  /** Stores a run; it is there when this resolves. */
  readonly store: (run: FinishedRun) => Promise<void>
  /** Told when a run could not be stored, with the cause for the log. */
  readonly onUnrecorded: (runId: string, cause: unknown) => void
}

/**
 * Stores the run and returns its id; null when it could not be stored. The evidence itself is whole then, and someone
 * may be reading it because the disk is full: it is given, without an id that would name nothing.
 */
export async function recordRun(
  run: EvidenceRun,
  caller: Caller,
  outcome: RunOutcome,
  log: RunLog
): Promise<string | null> {
  const runId = randomUUID()
  try {
    await log.store({
      runId,
      tenantId: caller.tenantId,
      userId: caller.userId,
      createdAt: Date.now(),
      query: run.question.query,
      outcome: outcomeOf(outcome),
      record: runRecord(run, outcome)
    })
    return runId
  } catch (cause) {
    log.onUnrecorded(runId, cause)
    return null
  }
}

function outcomeOf(outcome: RunOutcome): FinishedRun['outcome'] {
  if (outcome.failure !== null) return 'failed'
  return outcome.results.length > 0 ? 'ok' : 'empty'
}
