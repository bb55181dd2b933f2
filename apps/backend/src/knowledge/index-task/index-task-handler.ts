import type { Job, JobHandler, JobOutcome } from '../../jobs/index.ts'
import type { BusinessTables } from '../../store/index.ts'
import { embedTask } from './embed-task.ts'
import { INDEX_DOCUMENT } from '../kinds.ts'
import type { IndexTaskParts } from '../knowledge-parts.ts'
import { openTask } from './open-task.ts'
import { prepareTask } from './prepare-task.ts'
import { publishTask } from './publish-task.ts'

/**
 * Does one index task: read, extract and cut, embed, publish. The version that was indexed before is served until the
 * new one is published, whole, and stays when anything fails or the task is cancelled.
 *
 * Taken up again after a crash at any point: a version that had been published is found in the index and not embedded
 * again.
 */
export function createIndexTaskHandler(parts: IndexTaskParts): JobHandler {
  return {
    kind: INDEX_DOCUMENT,
    begin: (job, tables) => begin(parts, job, tables),
    run: (job, signal) => runTask(parts, job.subject, signal),
    settle: (job, outcome, tables) => settle(parts, { job, outcome }, tables)
  }
}

async function runTask(parts: IndexTaskParts, taskId: string, signal: AbortSignal): Promise<void> {
  const opened = await openTask(parts, taskId)
  // Cancelled, or its document deleted, since it was enqueued: there is nothing to do, and that is no failure.
  if (opened === undefined) return
  const prepared = await prepareTask(parts, opened, signal)
  const embedded = await embedTask(parts, prepared, signal)
  signal.throwIfAborted()
  await publishTask(parts, embedded)
}

async function begin(parts: IndexTaskParts, job: Job, tables: BusinessTables): Promise<void> {
  if (!(await tables.indexTasks.begin(job.subject, job.attempt, parts.now()))) return
  const task = await tables.indexTasks.find(job.subject)
  await tables.documents.moveIndexStatus(task!.documentId, { kind: 'taken-up' })
}

interface Settlement {
  readonly job: Job
  readonly outcome: JobOutcome
}

/** Ends the task as its job ended, unless somebody cancelled it before. */
async function settle(parts: IndexTaskParts, { job, outcome }: Settlement, tables: BusinessTables): Promise<void> {
  const task = await tables.indexTasks.find(job.subject)
  if (task === undefined) return
  const now = parts.now()
  if (outcome.status === 'failed') {
    const { failure } = outcome
    if (!(await tables.indexTasks.finish(task.id, { status: 'failed', reason: failure }, now))) return
    await tables.documents.moveIndexStatus(task.documentId, { kind: 'failed', failure })
    return
  }
  const status = outcome.status === 'done' ? 'succeeded' : 'cancelled'
  if (await tables.indexTasks.finish(task.id, { status }, now)) {
    await tables.documents.moveIndexStatus(task.documentId, { kind: 'ended' })
  }
}
