import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endings } from './test-material/ledger.ts'
import { openWorkPlace, until, type WorkPlace } from './test-material/work-place.ts'

let place: WorkPlace
let other: DatabaseSync
beforeEach(async () => {
  // Hardly waits for a lock: a wait would hold up this very process, which is to release it.
  place = await openWorkPlace({ busyTimeoutMs: 1 })
  other = new DatabaseSync(join(place.directory, 'business.db'))
})
afterEach(async () => {
  await place.close()
  other.close()
})

const lockStore = () => other.exec('BEGIN IMMEDIATE')
const releaseStore = () => other.exec('COMMIT')
const attemptsAt = async (subject: string) =>
  (await place.store.jobs.list({ limit: 10 })).items.find((job) => job.subject === subject)?.attempts

describe('a store that cannot be written for a while', () => {
  it('is looked at again and again, and the job is done when it can be written', async () => {
    await place.enqueueAll([{ subject: 'a' }])
    lockStore()
    const worker = place.work({})
    for (let turn = 0; turn < 3; turn += 1) {
      worker.wake()
      await delay(20)
    }
    expect(place.told()).toEqual([])
    releaseStore()
    await until(() => place.told().includes('done a'))
    expect(await attemptsAt('a')).toBe(1)
  })

  it('does not lose a job that ends meanwhile: its lease runs out, and it is done again', async () => {
    await place.enqueueAll([{ subject: 'a' }])
    place.work({
      run: async ({ attempt }) => {
        if (attempt === 1) lockStore()
      }
    })
    await until(() => place.told().includes('taken a'))
    await delay(50)
    expect(other.isTransaction).toBe(true)
    releaseStore()
    await until(() => place.told().includes('done a'))
    expect(place.told()).toEqual(['taken a', 'retried a', 'taken a', 'done a'])
    expect(await endings(place.store)).toEqual(['a done'])
  })

  it('costs no lease as long as a heartbeat comes through in time', async () => {
    await place.enqueueAll([{ subject: 'a' }])
    const { promise, resolve } = Promise.withResolvers<void>()
    place.work({ run: () => promise }, { leaseMs: 900 })
    await until(() => place.told().includes('taken a'))
    lockStore()
    await delay(450)
    releaseStore()
    await delay(700)
    resolve()
    await until(() => place.told().includes('done a'))
    expect(await attemptsAt('a')).toBe(1)
  })

  it('aborts the handler when the lease could not be extended in time', async () => {
    await place.enqueueAll([{ subject: 'a' }])
    let isAborted = false
    place.work({
      run: async (job, signal) => {
        if (job.attempt > 1) return
        lockStore()
        await until(() => signal.aborted)
        isAborted = true
        releaseStore()
      }
    })
    await until(() => place.told().includes('done a'))
    expect(isAborted).toBe(true)
    expect(place.told()).toEqual(['taken a', 'lost a', 'retried a', 'taken a', 'done a'])
  })
})
