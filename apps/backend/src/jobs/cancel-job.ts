import type { BusinessTables } from '../store/index.ts'
import type { JobHandler } from './job.ts'

/**
 * Cancels the open job of a handler's kind and a subject, in the caller's transaction. One that waits ends here, with
 * what it is about; one that runs is told, and ends when its handler lets go (call the worker's `wake` after the commit).
 * @returns undefined when no such job is open
 */
export async function cancelJob(
  tables: BusinessTables,
  handler: JobHandler,
  subject: string,
  now: number
): Promise<'cancelled' | 'requested' | undefined> {
  const answer = await tables.jobs.requestCancel(handler.kind, subject, now)
  if (answer?.state === 'cancelled') await handler.settle?.(answer.job, { status: 'cancelled' }, tables)
  return answer?.state
}
