import { randomUUID } from 'node:crypto'
import type { BusinessStore, BusinessTables } from '../../store/index.ts'
import type { Job, JobOutcome } from '../index.ts'

const KIND = 'ledger entry'

/** Writes, in the transaction of a settling, that it happened: a job that ended twice has two entries. */
export async function enterEnding(job: Job, outcome: JobOutcome, tables: BusinessTables): Promise<void> {
  const subject = `${job.subject} ${outcome.status} ${randomUUID()}`
  await tables.jobs.enqueue({ kind: KIND, tenantId: 'ledger', subject, maxAttempts: 1, now: 0 })
}

/** All endings as "subject status", sorted. */
export async function endings(store: BusinessStore): Promise<readonly string[]> {
  const all = await store.jobs.list({ limit: 10_000 })
  return all.items
    .filter((job) => job.kind === KIND)
    .map((job) => job.subject.split(' ').slice(0, 2).join(' '))
    .toSorted()
}
