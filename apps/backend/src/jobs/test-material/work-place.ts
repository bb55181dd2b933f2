import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../observability/index.ts'
import { type BusinessStore, type NewJob, openBusinessStore } from '../../store/index.ts'
import { createJobWorker, type JobEvent, type JobHandler, type JobWorker, type JobWorkerOptions } from '../index.ts'
import { enterEnding } from './ledger.ts'

type Asked = Partial<NewJob> & Pick<NewJob, 'subject'>

export interface WorkPlace {
  readonly directory: string
  readonly store: BusinessStore
  /** What workers of this place told, in order. */
  readonly events: readonly JobEvent[]
  /** "name subject" of each event. */
  told(): readonly string[]
  /** Enqueues jobs as one. */
  enqueueAll(jobs: readonly Asked[]): Promise<void>
  /** A started worker, which is stopped with the place. */
  work(handler: Partial<JobHandler>, options?: Partial<JobWorkerOptions>): JobWorker
  close(): Promise<void>
}

/** The kind that `enqueueAll` and `work` are about. */
export const KIND = 'test'

const soon = { firstMs: 20, factor: 2, limitMs: 100 }

/** A business store of its own with workers on it. */
export async function openWorkPlace(storeOptions: Parameters<typeof openBusinessStore>[1] = {}): Promise<WorkPlace> {
  const directory = await mkdtemp(join(tmpdir(), 'oncall-jobs-'))
  const store = openBusinessStore(directory, storeOptions)
  const events: JobEvent[] = []
  const workers: JobWorker[] = []
  return {
    directory,
    store,
    events,
    told: () => events.map(({ name, job }) => `${name} ${job.subject}`),
    enqueueAll: (jobs) =>
      store.transaction(async (tables) => {
        for (const job of jobs)
          await tables.jobs.enqueue({ kind: KIND, tenantId: 'ann', maxAttempts: 5, now: Date.now(), ...job })
      }),
    work: (handler, options = {}) => {
      const worker = createJobWorker({
        store,
        handlers: [{ kind: KIND, run: async () => undefined, settle: enterEnding, ...handler }],
        workers: 1,
        leaseMs: 500,
        keepDays: 90,
        backOff: soon,
        logger: createLogger({ level: 'silent' }),
        onEvent: (event) => events.push(event),
        ...options
      })
      workers.push(worker)
      worker.start()
      return worker
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
      await store.close()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

/** Waits until it is so; what is awaited comes from other processes and timers. */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`it was not so within ${limitMs} ms: ${isSo.toString()}`)
    await delay(10)
  }
}
