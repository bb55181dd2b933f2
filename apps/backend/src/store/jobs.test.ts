import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LeasedJob, NewJob } from './jobs.ts'
import { type BusinessStore, openBusinessStore } from './open-business-store.ts'

let directory: string
let store: BusinessStore
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-jobs-'))
  store = openBusinessStore(directory)
})
afterEach(async () => {
  await store.close()
  await rm(directory, { recursive: true, force: true })
})

const NOW = 1_000_000
const LEASE_MS = 100
const DAY_MS = 86_400_000
const failure = { code: 'SYSTEM_UNAVAILABLE', message: 'The service is temporarily unavailable.' } as const

const enqueue = (subject: string, more: Partial<NewJob> = {}) =>
  store.jobs.enqueue({ kind: 'index', tenantId: 'ann', subject, maxAttempts: 3, now: NOW, ...more })
const claim = (now = NOW, kinds = ['index']) => store.jobs.claim({ kinds, now, leaseMs: LEASE_MS })
const claimed = async (now = NOW): Promise<LeasedJob> => {
  const taken = await claim(now)
  if (taken === undefined) throw new Error('no job is due')
  return taken
}
const only = async () => (await store.jobs.list({ limit: 10 })).items[0]

describe('enqueuing', () => {
  it('makes a job that waits, with its payload', async () => {
    const job = await enqueue('a', { payload: { 版本: 2 } })
    expect(job).toMatchObject({ kind: 'index', tenantId: 'ann', subject: 'a', attempt: 0, payload: { 版本: 2 } })
    expect(await only()).toMatchObject({ id: job.id, status: 'waiting', dueAt: NOW, finishedAt: null })
  })

  it('gives back the open job of the same kind and subject, and makes one when that has ended', async () => {
    const first = await enqueue('a', { payload: { version: 1 } })
    expect(await enqueue('a', { payload: { version: 2 } })).toEqual(first)
    expect((await enqueue('a', { kind: 'erase' })).id).not.toBe(first.id)

    const { lease } = await claimed()
    expect(await enqueue('a')).toMatchObject({ id: first.id, attempt: 1 })
    await store.jobs.end(lease, { status: 'done' }, NOW)
    expect((await enqueue('a')).id).not.toBe(first.id)
  })

  it('is part of the transaction that it is called in', async () => {
    const undone = store.transaction(async (tables) => {
      await tables.jobs.enqueue({ kind: 'index', tenantId: 'ann', subject: 'a', maxAttempts: 3, now: NOW })
      throw new Error('the task could not be written')
    })
    await expect(undone).rejects.toThrow('the task could not be written')
    expect(await store.jobs.hasDue({ kinds: ['index'], now: NOW })).toBe(false)
  })
})

describe('claiming', () => {
  it('takes the oldest that is due, counts the attempt and leases it', async () => {
    await enqueue('later', { dueAt: NOW + 1 })
    await enqueue('a')
    await enqueue('b')
    const { job, lease } = await claimed()
    expect(job).toMatchObject({ subject: 'a', attempt: 1 })
    expect(await store.jobs.holding(lease)).toEqual({ expiresAt: NOW + LEASE_MS, cancelRequested: false })
    expect((await claimed()).job.subject).toBe('b')
    expect(await claim()).toBeUndefined()
    expect((await claimed(NOW + 1)).job.subject).toBe('later')
  })

  it('takes only the kinds that are asked for', async () => {
    await enqueue('a')
    expect(await claim(NOW, ['erase', 'diagnose'])).toBeUndefined()
    expect(await claim(NOW, [])).toBeUndefined()
    expect((await claim(NOW, ['erase', 'index']))?.job.subject).toBe('a')
  })

  it('serves the tenant with the fewest running jobs, then the one that waited longest for its turn', async () => {
    for (const tenantId of ['ann', 'bob', 'eve']) {
      for (const index of [1, 2, 3]) await enqueue(`${tenantId}${index}`, { tenantId })
    }
    const order = [await claimed(), await claimed(), await claimed()]
    expect(order.map(({ job }) => job.subject)).toEqual(['ann1', 'bob1', 'eve1'])

    // Bob has none running now; all others have one.
    await store.jobs.end(order[1]!.lease, { status: 'done' }, NOW)
    expect((await claimed()).job.subject).toBe('bob2')
    expect((await claimed()).job.subject).toBe('ann2')
  })

  it('remembers turns although jobs are tried again later or forgotten', async () => {
    await enqueue('a1')
    await enqueue('a2')
    await enqueue('b1', { tenantId: 'bob' })
    await store.jobs.retryLater((await claimed()).lease, NOW + 50, failure)
    const second = await claimed()
    expect(second.job.subject).toBe('b1')
    await store.jobs.end(second.lease, { status: 'done' }, NOW)
    await store.jobs.purge(NOW + 1, 10)
    await enqueue('b2', { tenantId: 'bob' })
    expect((await claimed(NOW + 60)).job.tenantId).toBe('ann')
  })

  it('never gives one tenant two turns while another waits for its first', async () => {
    const tenants = fc.array(fc.constantFrom('ann', 'bob', 'eve', 'joe'), { minLength: 1, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(tenants, async (queue) => {
        for (const [index, tenantId] of queue.entries()) await enqueue(`${index}`, { tenantId })
        const queued = Object.groupBy(queue, (tenantId) => tenantId)
        const running: LeasedJob[] = []
        while (running.length < queue.length) running.push(await claimed())
        for (const size of running.keys()) {
          const served = Object.groupBy(running.slice(0, size + 1), ({ job }) => job.tenantId)
          const most = Math.max(...Object.values(served).map((jobs) => jobs!.length))
          for (const [tenant, jobs] of Object.entries(queued)) {
            expect(served[tenant]?.length ?? 0).toBeGreaterThanOrEqual(Math.min(jobs.length, most - 1))
          }
        }
        for (const { lease } of running) await store.jobs.end(lease, { status: 'done' }, NOW)
      }),
      { numRuns: 10 }
    )
  })
})

describe('a lease', () => {
  it('is extended by its heartbeat, and tells of a wish to cancel', async () => {
    await enqueue('a')
    const { lease } = await claimed()
    expect(await store.jobs.heartbeat(lease, NOW + 500)).toEqual({ expiresAt: NOW + 500, cancelRequested: false })
    expect(await store.jobs.requestCancel('index', 'a', NOW)).toMatchObject({ state: 'requested' })
    expect(await store.jobs.heartbeat(lease, NOW + 600)).toEqual({ expiresAt: NOW + 600, cancelRequested: true })
  })

  it('is listed once it has expired, and its holder keeps it till somebody takes it away', async () => {
    await enqueue('a')
    const { job, lease } = await claimed()
    expect(await store.jobs.expired(['index'], NOW + LEASE_MS - 1, 10)).toEqual([])
    expect(await store.jobs.expired(['erase'], NOW + LEASE_MS, 10)).toEqual([])
    expect(await store.jobs.expired(['index'], NOW + LEASE_MS, 10)).toEqual([{ job, lease }])
    expect(await store.jobs.heartbeat(lease, NOW + 900)).toBeDefined()
    expect(await store.jobs.expired(['index'], NOW + LEASE_MS, 10)).toEqual([])
  })

  it('moves nothing once it was lost', async () => {
    await enqueue('a')
    const { lease } = await claimed()
    await store.jobs.retryLater(lease, NOW, failure)
    const again = await claimed()
    expect(await store.jobs.holding(lease)).toBeUndefined()
    expect(await store.jobs.heartbeat(lease, NOW + 900)).toBeUndefined()
    expect(await store.jobs.end(lease, { status: 'done' }, NOW)).toBe(false)
    expect(await store.jobs.retryLater(lease, NOW, failure)).toBe(false)
    expect(await store.jobs.handBack(lease, NOW)).toBe(false)
    expect(await store.jobs.end(again.lease, { status: 'failed', failure }, NOW + 1)).toBe(true)
    expect(await store.jobs.end(again.lease, { status: 'done' }, NOW)).toBe(false)
    expect(await only()).toMatchObject({ status: 'failed', failure, finishedAt: NOW + 1, attempts: 2 })
  })
})

describe('going back to waiting', () => {
  it('keeps the attempt and the reason when it is tried again later', async () => {
    await enqueue('a')
    await store.jobs.retryLater((await claimed()).lease, NOW + 50, failure)
    expect(await only()).toMatchObject({ status: 'waiting', attempts: 1, dueAt: NOW + 50, failure })
    expect((await claimed(NOW + 50)).job).toMatchObject({ attempt: 2, failure })
  })

  it('does not count the attempt when it is handed back', async () => {
    await enqueue('a')
    await store.jobs.handBack((await claimed()).lease, NOW)
    expect(await only()).toMatchObject({ status: 'waiting', attempts: 0, dueAt: NOW })
  })
})

describe('what operators see', () => {
  it('is a page of all jobs, newest first, of one state if they ask', async () => {
    for (const [index, tenantId] of ['ann', 'bob', 'eve'].entries()) await enqueue(`s${index}`, { tenantId })
    await store.jobs.end((await claimed()).lease, { status: 'failed', failure }, NOW)
    const first = await store.jobs.list({ limit: 2 })
    expect(first).toMatchObject({ total: 3, items: [{ subject: 's2' }, { subject: 's1' }] })
    const second = await store.jobs.list({ limit: 2, cursor: first.nextCursor! })
    expect(second).toMatchObject({ total: 3, nextCursor: null, items: [{ subject: 's0', tenantId: 'ann' }] })
    expect(await store.jobs.list({ limit: 2, status: 'failed' })).toMatchObject({ total: 1, items: [{ failure }] })
    await expect(store.jobs.list({ limit: 2, cursor: '?' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('counts what waits, runs and failed within a day; waiting begins when a job is due', async () => {
    const nothing = { waiting: 0, running: 0, failedLastDay: 0, oldestWaitingSeconds: null }
    expect(await store.jobs.counts(NOW)).toEqual(nothing)
    await enqueue('fails')
    await store.jobs.end((await claimed()).lease, { status: 'failed', failure }, NOW)
    await enqueue('runs')
    await claimed()
    await enqueue('later', { dueAt: NOW + 5_000 })
    const counted = { ...nothing, waiting: 1, running: 1, failedLastDay: 1 }
    expect(await store.jobs.counts(NOW + 4_999)).toEqual(counted)
    expect(await store.jobs.counts(NOW + 7_500)).toEqual({ ...counted, oldestWaitingSeconds: 2.5 })
    expect(await store.jobs.counts(NOW + DAY_MS)).toMatchObject({ failedLastDay: 0 })
  })

  it('no longer holds ended jobs that are older than asked; at most so many go at once', async () => {
    for (const subject of ['a', 'b', 'c', 'open']) await enqueue(subject)
    for (const status of ['done', 'cancelled', 'done'] as const) {
      await store.jobs.end((await claimed()).lease, { status }, NOW)
    }
    expect(await store.jobs.purge(NOW, 10)).toBe(0)
    expect(await store.jobs.purge(NOW + 1, 2)).toBe(2)
    expect(await store.jobs.purge(NOW + 1, 2)).toBe(1)
    expect((await store.jobs.list({ limit: 10 })).items.map((job) => job.subject)).toEqual(['open'])
  })
})

it('a claim does not get slow when one tenant has twenty thousand jobs', async () => {
  const raw = new DatabaseSync(join(directory, 'business.db'))
  raw.exec(`
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 20000)
    INSERT INTO job (id, sequence, kind, tenant_id, subject, status, max_attempts, due_at, created_at)
    SELECT n, n, 'index', 'ann', n, 'waiting', 3, ${NOW}, ${NOW} FROM number`)
  raw.close()
  await enqueue('b', { tenantId: 'bob' })
  await claimed()
  const start = performance.now()
  for (let round = 0; round < 100; round += 1) await store.jobs.hasDue({ kinds: ['index'], now: NOW })
  // 0.1 ms with Kysely's part on an idle machine; sorting the whole queue took 65 ms.
  expect((performance.now() - start) / 100).toBeLessThan(10)
  expect((await claimed()).job.subject).toBe('b')
})
