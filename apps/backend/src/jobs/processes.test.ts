import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endings } from './test-material/ledger.ts'
import { openWorkPlace, until, type WorkPlace } from './test-material/work-place.ts'

const program = fileURLToPath(new URL('./test-material/worker-process.ts', import.meta.url))
const LEASE_MS = 400
/** Longer than any test: nothing is reclaimed, however busy the machine. */
const LONG_LEASE_MS = 60_000
/** Halves what it costs to start a process. */
const compiled = mkdtempSync(join(tmpdir(), 'oncall-compiled-'))
afterAll(() => rmSync(compiled, { recursive: true, force: true }))

interface Child {
  readonly process: ChildProcess
  said(): string
}

let place: WorkPlace
let children: Child[]
beforeEach(async () => {
  place = await openWorkPlace()
  children = []
})
afterEach(async () => {
  await Promise.all(children.map(kill))
  await place.close()
})

async function startChild(leaseMs = LEASE_MS): Promise<Child> {
  const started = spawn(process.execPath, [program, place.directory, String(leaseMs)], {
    env: { NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let text = ''
  started.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const child = { process: started, said: () => text }
  children.push(child)
  await until(() => text.includes('ready') || hasEnded(started))
  return child
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function kill({ process: child }: Child): Promise<void> {
  if (hasEnded(child)) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const runsOf = (subject: string): number =>
  readFileSync(join(place.directory, 'runs.txt'), 'utf8')
    .split('\n')
    .filter((line) => line === subject).length

const nothingIsOpen = async (): Promise<boolean> => {
  const all = await place.store.jobs.list({ limit: 10_000 })
  return all.items.every((job) => job.kind !== 'test' || job.finishedAt !== null)
}

const subjects = (count: number): string[] => Array.from({ length: count }, (_, index) => `job-${index}`)

describe('workers in several processes', () => {
  it('run each job once between them', async () => {
    await place.enqueueAll(subjects(60).map((subject) => ({ subject, payload: { sleepMs: 5 } })))
    await Promise.all([1, 2, 3].map(() => startChild(LONG_LEASE_MS)))
    await until(nothingIsOpen)
    expect(await endings(place.store)).toEqual(
      subjects(60)
        .map((subject) => `${subject} done`)
        .toSorted()
    )
    for (const subject of subjects(60)) expect(runsOf(subject), subject).toBe(1)
  })

  it('end every job once, although thirty of them are killed with kill -9 at any moment', async () => {
    await place.enqueueAll(
      subjects(120).map((subject) => ({ subject, maxAttempts: 50, payload: { sleepMs: Math.random() * 80 } }))
    )
    let kills = 0
    const killAgainAndAgain = async (): Promise<void> => {
      while (kills < 30) {
        const child = await startChild()
        kills += 1
        // Every other one while it has a job in hand.
        if (kills % 2 === 0) await until(() => child.said().includes('taken') || hasEnded(child.process))
        await delay(Math.random() * 60)
        await kill(child)
      }
    }
    await Promise.all([killAgainAndAgain(), killAgainAndAgain(), killAgainAndAgain()])
    const reclaimed = (await place.store.jobs.list({ limit: 10_000 })).items.filter((job) => job.attempts > 1)
    expect(reclaimed.length, 'some kills hit work').toBeGreaterThanOrEqual(2)

    place.work({}, { workers: 8, leaseMs: LEASE_MS })
    await until(nothingIsOpen)
    expect(await endings(place.store)).toEqual(
      subjects(120)
        .map((subject) => `${subject} done`)
        .toSorted()
    )
  })

  it('fail a job that kills its process each time after its last attempt, and do the others', async () => {
    const good = subjects(20).map((subject) => ({ subject, payload: { sleepMs: 5 } }))
    await place.enqueueAll([{ subject: 'poison', maxAttempts: 3, payload: { kills: true } }, ...good])
    while (!(await nothingIsOpen())) {
      const child = await startChild()
      await until(async () => hasEnded(child.process) || (await nothingIsOpen()))
      await kill(child)
    }
    expect(runsOf('poison')).toBe(3)
    expect(await endings(place.store)).toEqual(
      [...subjects(20).map((subject) => `${subject} done`), 'poison failed'].toSorted()
    )
    const [failed] = (await place.store.jobs.list({ limit: 1, status: 'failed' })).items
    expect(failed).toMatchObject({
      attempts: 3,
      failure: { code: 'INTERNAL', message: 'The process that worked on it ended before the work did.' }
    })
  })

  it('do not end a job twice when one stalls, loses its lease and wakes up', async () => {
    await place.enqueueAll([{ subject: 'job', payload: { sleepMs: 300 } }])
    const stalled = await startChild()
    await until(() => stalled.said().includes('taken job'))
    stalled.process.kill('SIGSTOP')
    place.work({})
    await until(nothingIsOpen)
    expect(place.told()).toContain('done job')

    stalled.process.kill('SIGCONT')
    await until(() => stalled.said().includes('lost job'))
    expect(stalled.said()).not.toContain('done job')
    expect(await endings(place.store)).toEqual(['job done'])
  })

  it('go on after a stall when nobody has taken the job meanwhile', async () => {
    await place.enqueueAll([{ subject: 'job', payload: { sleepMs: 300 } }])
    const stalled = await startChild()
    await until(() => stalled.said().includes('taken job'))
    stalled.process.kill('SIGSTOP')
    await delay(LEASE_MS + 100)
    stalled.process.kill('SIGCONT')
    await until(() => stalled.said().includes('done job'))
    expect(runsOf('job')).toBe(1)
  })
})
