import type { JobContext } from './job-context.ts'

const DAY_MS = 86_400_000
/** Nothing hangs on the moment at which an old job is forgotten. */
const PURGE_EVERY_MS = 3_600_000
/** Rows that one turn deletes: the write lock is held for milliseconds. */
const PURGED_PER_TURN = 500

/** Forgets, once an hour and in small portions, the jobs that ended longer ago than they are kept. */
export function purgeEnded({ store, now }: JobContext, keepDays: number): () => Promise<void> {
  let next = 0
  return async () => {
    if (now() < next) return
    const purged = await store.jobs.purge(now() - keepDays * DAY_MS, PURGED_PER_TURN)
    if (purged < PURGED_PER_TURN) next = now() + PURGE_EVERY_MS
  }
}
