import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cancelJob, type JobHandler } from './index.ts'
import { endings, enterEnding } from './test-material/ledger.ts'
import { KIND, openWorkPlace, until, type WorkPlace } from './test-material/work-place.ts'

let place: WorkPlace
beforeEach(async () => {
  place = await openWorkPlace()
})
afterEach(() => place.close())

const LONG_LEASE_MS = 60_000
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
const refusal = (message = 'It has no text.') => new AppError('DOCUMENT_UNREADABLE', { operation: 'read', message })
const outage = () => new AppError('SYSTEM_UNAVAILABLE', { operation: 'embed' })
const named = (...subjects: readonly string[]) => place.enqueueAll(subjects.map((subject) => ({ subject })))
const stateOf = async (subject: string) =>
  (await place.store.jobs.list({ limit: 1_000 })).items.find((job) => job.subject === subject)
const untilTold = (line: string) => until(() => place.told().includes(line))
const cancel = (handler: JobHandler, subject: string) =>
  place.store.transaction((tables) => cancelJob(tables, handler, subject, Date.now()))

describe('a worker', () => {
  it('gives the handler the job as it was enqueued, with its attempt', async () => {
    const got: unknown[] = []
    await place.enqueueAll([{ subject: 'a', payload: { version: 2 }, maxAttempts: 3 }])
    place.work({ run: async (job) => void got.push(job) })
    await untilTold('done a')
    expect(got).toEqual([
      {
        id: expect.any(String),
        kind: KIND,
        tenantId: 'ann',
        subject: 'a',
        payload: { version: 2 },
        attempt: 1,
        maxAttempts: 3,
        failure: null
      }
    ])
  })

  it('sees at once what is enqueued when it is woken, and within about a second when it is not', async () => {
    const worker = place.work({})
    await delay(100)
    await named('a')
    worker.wake()
    await until(() => place.told().includes('done a'), 900)
    await named('b')
    await until(() => place.told().includes('done b'), 5_000)
    expect(await endings(place.store)).toEqual(['a done', 'b done'])
  })

  it.each([
    ['as many at once as it has places', ['ann', 'bob', 'cat', 'dan', 'eve'], 2],
    ['jobs of one tenant in all places but the last', ['ann', 'ann', 'ann', 'ann', 'ann'], 1]
  ])('runs %s', async (_what, tenants, expected) => {
    let running = 0
    let most = 0
    await place.enqueueAll(tenants.map((tenantId, index) => ({ subject: `job ${index}`, tenantId })))
    const run = async () => {
      running += 1
      most = Math.max(most, running)
      await delay(50)
      running -= 1
    }
    place.work({ run }, { workers: 2, leaseMs: LONG_LEASE_MS })
    await until(async () => (await endings(place.store)).length === tenants.length)
    expect(most).toBe(expected)
  })

  it('takes a note of somebody who comes while a long job of another runs', async () => {
    const long = new AbortController()
    await place.enqueueAll([
      { subject: 'book', tenantId: 'ann' },
      { subject: 'next book', tenantId: 'ann' }
    ])
    const run = ({ subject }: { readonly subject: string }, signal: AbortSignal) =>
      subject === 'note'
        ? Promise.resolve()
        : untilAborted(AbortSignal.any([signal, long.signal])).catch(() => undefined)
    const worker = place.work({ run }, { workers: 2, leaseMs: LONG_LEASE_MS })
    await untilTold('taken book')
    await place.enqueueAll([{ subject: 'note', tenantId: 'bob' }])
    worker.wake()
    await untilTold('done note')
    expect(place.told()).not.toContain('taken next book')
    long.abort()
  })

  it('does nothing when it has no places, and leaves kinds alone that it has no handler for', async () => {
    await named('a')
    place.work({}, { workers: 0 })
    place.work({ kind: 'another' })
    await delay(150)
    expect(await stateOf('a')).toMatchObject({ status: 'waiting', attempts: 0 })
  })

  it('serves a tenant with three jobs beside one with a hundred', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => ({ subject: `a${index}`, tenantId: 'ann' }))
    await place.enqueueAll([...hundred, ...['b0', 'b1', 'b2'].map((subject) => ({ subject, tenantId: 'bob' }))])
    place.work({}, { leaseMs: LONG_LEASE_MS })
    await until(() => place.told().length >= 20)
    const taken = place.events.filter(({ name }) => name === 'taken').map(({ job }) => job.tenantId)
    expect(taken.slice(0, 8)).toEqual(['ann', 'bob', 'ann', 'bob', 'ann', 'bob', 'ann', 'ann'])
  })
})

describe('an attempt that fails', () => {
  it('is repeated when something around the job is at fault, till the job is done', async () => {
    await named('a')
    place.work({
      run: async ({ attempt }) => {
        if (attempt < 3) throw outage()
      }
    })
    await untilTold('done a')
    expect(place.told()).toEqual(['taken a', 'retried a', 'taken a', 'retried a', 'taken a', 'done a'])
    expect(await stateOf('a')).toMatchObject({ status: 'done', attempts: 3, failure: null })
  })

  it('is the last one at once when the job itself is at fault', async () => {
    await named('a')
    place.work({ run: () => Promise.reject(refusal()) })
    await untilTold('failed a')
    const failure = { code: 'DOCUMENT_UNREADABLE', message: 'It has no text.' }
    expect(await stateOf('a')).toMatchObject({ status: 'failed', attempts: 1, failure, finishedAt: expect.any(Number) })
  })

  it('waits for its time and is called waiting meanwhile, with the reason', async () => {
    await named('a')
    const backOff = { firstMs: 60_000, factor: 2, limitMs: 60_000 }
    place.work({ run: () => Promise.reject(new Error('password=hunter2')) }, { backOff })
    await untilTold('retried a')
    const job = await stateOf('a')
    const failure = { code: 'INTERNAL', message: 'Something went wrong here.' }
    expect(job).toMatchObject({ status: 'waiting', attempts: 1, failure })
    expect(job!.dueAt - Date.now()).toBeGreaterThan(25_000)
    expect(await place.store.jobs.counts(Date.now())).toMatchObject({
      waiting: 1,
      running: 0,
      oldestWaitingSeconds: null
    })
  })

  it('does not keep twenty others waiting, whatever poison it is', async () => {
    const good = Array.from({ length: 20 }, (_, index) => `good-${index}`)
    await place.enqueueAll(['poison', ...good].map((subject) => ({ subject, maxAttempts: 3 })))
    place.work({ run: async ({ subject }) => (subject === 'poison' ? Promise.reject(outage()) : undefined) })
    await untilTold('failed poison')
    await until(async () => (await endings(place.store)).length === 21)
    expect(await endings(place.store)).toEqual(
      [...good.map((subject) => `${subject} done`), 'poison failed'].toSorted()
    )
  })
})

describe('what a handler does in the transaction of a change', () => {
  it('is undone with the change when settling throws; the job is tried again', async () => {
    await named('a')
    place.work({
      settle: async (job, outcome, tables) => {
        await enterEnding(job, outcome, tables)
        if (job.attempt < 3) throw new Error('it can not be settled yet')
      }
    })
    await untilTold('done a')
    expect(await stateOf('a')).toMatchObject({ status: 'done', attempts: 3 })
    expect(await endings(place.store)).toEqual(['a done'])
  })

  it('ends the job without running it again when only the settling of its last attempt had failed', async () => {
    let runs = 0
    let settlings = 0
    await place.enqueueAll([{ subject: 'a', maxAttempts: 1 }])
    place.work({
      run: async () => {
        runs += 1
        throw refusal()
      },
      settle: async (job, outcome, tables) => {
        settlings += 1
        if (settlings < 3) throw outage()
        await enterEnding(job, outcome, tables)
      }
    })
    await untilTold('failed a')
    expect([runs, settlings]).toEqual([1, 3])
    expect(await endings(place.store)).toEqual(['a failed'])
  })

  it('begins with the job, before it runs', async () => {
    const seen: string[] = []
    await named('a')
    place.work({
      begin: async ({ attempt }, tables) => {
        const { running } = await tables.jobs.counts(Date.now())
        seen.push(`begin ${attempt}, ${running} running`)
      },
      run: async () => void seen.push('run')
    })
    await untilTold('done a')
    expect(seen).toEqual(['begin 1, 1 running', 'run'])
  })

  it('counts the attempt of a job that will not begin, and lets others pass', async () => {
    await place.enqueueAll(['stubborn', 'good'].map((subject) => ({ subject, maxAttempts: 3 })))
    place.work({
      begin: async ({ subject }, tables) => {
        await tables.knowledgeBases.ensure('ann', subject)
        if (subject === 'stubborn') throw outage()
      }
    })
    await untilTold('failed stubborn')
    expect(await stateOf('stubborn')).toMatchObject({ status: 'failed', attempts: 3 })
    expect(await endings(place.store)).toEqual(['good done', 'stubborn failed'])
    const bases = await place.store.knowledgeBases.ofTenant('ann')
    expect(bases.map(({ name }) => name)).toEqual(['good'])
  })
})

describe('cancelling', () => {
  const handler: JobHandler = { kind: KIND, run: (_, signal) => untilAborted(signal), settle: enterEnding }

  it('ends a waiting job in the same transaction', async () => {
    await named('a')
    expect(await cancel(handler, 'a')).toBe('cancelled')
    expect(await stateOf('a')).toMatchObject({ status: 'cancelled', attempts: 0, finishedAt: expect.any(Number) })
    expect(await endings(place.store)).toEqual(['a cancelled'])
    expect(await cancel(handler, 'a')).toBeUndefined()
  })

  it('aborts a running job as soon as the worker is woken, and it can be enqueued again then', async () => {
    await named('a')
    const worker = place.work(handler, { leaseMs: LONG_LEASE_MS })
    await untilTold('taken a')
    expect(await cancel(handler, 'a')).toBe('requested')
    worker.wake()
    await untilTold('cancelled a')
    expect(await endings(place.store)).toEqual(['a cancelled'])

    await named('a')
    worker.wake()
    await until(() => place.told().filter((line) => line === 'taken a').length === 2)
  })

  it('wins over what the handler throws, and not over work that is done', async () => {
    await place.enqueueAll([
      { subject: 'fails', tenantId: 'ann' },
      { subject: 'finishes', tenantId: 'bob' }
    ])
    const worker = place.work(
      {
        run: async ({ subject }, signal) => {
          await untilAborted(signal).catch(() => undefined)
          if (subject === 'fails') throw refusal()
        }
      },
      { workers: 2, leaseMs: LONG_LEASE_MS }
    )
    await until(() => place.told().length === 2)
    for (const subject of ['fails', 'finishes']) await cancel(handler, subject)
    worker.wake()
    await until(() => place.told().length === 4)
    expect(await endings(place.store)).toEqual(['fails cancelled', 'finishes done'])
  })

  it('holds for a job whose process died before it heard of it', async () => {
    await named('a')
    const taken = await place.store.jobs.claim({ kinds: [KIND], now: Date.now(), leaseMs: 1 })
    expect(taken?.job.subject).toBe('a')
    await cancel(handler, 'a')
    await delay(5)
    place.work(handler)
    await untilTold('cancelled a')
    expect(await endings(place.store)).toEqual(['a cancelled'])
  })
})

describe('stopping', () => {
  it('aborts what runs and hands it back without counting the attempt', async () => {
    await named('a', 'b')
    const worker = place.work({ run: (_, signal) => untilAborted(signal) })
    await untilTold('taken a')
    await worker.stop()
    expect(place.told()).toEqual(['taken a', 'handed-back a'])
    expect(await stateOf('a')).toMatchObject({ status: 'waiting', attempts: 0 })
    expect(await endings(place.store)).toEqual([])

    place.work({})
    await until(async () => (await endings(place.store)).length === 2)
  })

  it('waits for a handler that ends its work instead', async () => {
    await named('a')
    const worker = place.work({ run: () => delay(100) })
    await untilTold('taken a')
    await worker.stop()
    expect(await endings(place.store)).toEqual(['a done'])
  })

  it('does not wait for ever: what a handler does after the grace time is forgotten', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await named('a')
    const worker = place.work({ run: () => promise }, { graceMs: 50 })
    await untilTold('taken a')
    await worker.stop()
    resolve()
    await untilTold('lost a')
    expect(await endings(place.store)).toEqual([])
    expect(await stateOf('a')).toMatchObject({ status: 'running', attempts: 1 })

    place.work({})
    await untilTold('done a')
    expect(await stateOf('a')).toMatchObject({ attempts: 2 })
  })

  it('is final, may be asked for twice, and needs no start', async () => {
    const worker = place.work({})
    await Promise.all([worker.stop(), worker.stop()])
    worker.start()
    await named('a')
    await delay(50)
    expect(place.told()).toEqual([])
    await place.work({}, { workers: 0 }).stop()
  })
})

describe('time', () => {
  it('is the clock that was given: leases, due times and how long jobs are kept', async () => {
    let now = 1_000_000
    const clock = () => now
    await place.enqueueAll([{ subject: 'a', now, dueAt: now + 86_400_000 }])
    const worker = place.work({}, { clock, leaseMs: LONG_LEASE_MS, keepDays: 2 })
    await delay(100)
    expect(place.told()).toEqual([])

    now += 86_400_000
    worker.wake()
    await untilTold('done a')
    expect(await stateOf('a')).toMatchObject({ finishedAt: now })

    now += 3 * 86_400_000
    worker.wake()
    await until(async () => (await stateOf('a')) === undefined)
  })

  it('that a whole process slept through takes no job from it that nobody else took', async () => {
    let now = 1_000_000
    const { promise, resolve } = Promise.withResolvers<void>()
    await place.enqueueAll([{ subject: 'a', now }])
    const worker = place.work({ run: () => promise }, { clock: () => now, leaseMs: LONG_LEASE_MS })
    await untilTold('taken a')
    now += 2 * LONG_LEASE_MS
    worker.wake()
    await delay(50)
    expect(await place.store.jobs.expired([KIND], now, 1)).toEqual([])
    resolve()
    await untilTold('done a')
    expect(place.told()).toEqual(['taken a', 'done a'])
  })

  it('does not wear a lease out while the handler works on', async () => {
    await named('a')
    place.work({ run: () => delay(1_500) }, { leaseMs: 600 })
    place.work({ run: () => delay(1_500) }, { leaseMs: 600 })
    await untilTold('done a')
    expect(place.told()).toEqual(['taken a', 'done a'])
  })
})
