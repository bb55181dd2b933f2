import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Finished, oncall, oncallJson, runbooks, startOncall, temporaryFolder } from './oncall.ts'

const FILES = 100_000
/** The most that 100,000 names may take beyond the same run without them: an idle machine of two cores takes 1 s. */
const WALK_MS = 30_000
/** The most that 100,000 names may cost beyond the same run without them: 3 KB each. */
const MORE_MB = 300
/** A person who pressed Ctrl-C waits no longer; one batch of chunks is in work at most. */
const INTERRUPT_MS = 5_000
/** For a machine that is busy with much else: 72 s were seen with fifteen processes waiting for two cores. */
const SLOW_MS = 300_000
const READING_MS = 50
/** Skipped files that a program is told by name; the rest is counted. */
const NAMES_IN_JSON = 1_000

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
let many: string

beforeEach(async () => {
  folder = await temporaryFolder()
  data = join(folder.path, 'data')
  many = join(folder.path, 'many')
  await mkdir(many)
})

afterEach(() => folder.remove())

/** Synchronous: a hundred thousand promises would take longer than the files. */
function fill(nameOf: (number: number) => string, contentOf: (number: number) => string): void {
  for (let number = 0; number < FILES; number++) writeFileSync(join(many, nameOf(number)), contentOf(number))
}

async function sourcesOf(query: string): Promise<string[]> {
  const { results } = await oncallJson<{ results: { source: string }[] }>(['retrieve', query, '--data', data])
  return results.map(({ source }) => source)
}

/** Runs a command and watches the most memory that its process held; 0 where the system does not tell. */
async function peakOf(args: readonly string[]): Promise<Finished & { peakMb: number; tookMs: number }> {
  const begun = performance.now()
  const { child, finished } = startOncall(args)
  const status = `/proc/${child.pid}/status`
  let peakMb = 0
  const reading = setInterval(() => {
    if (!existsSync(status)) return
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]
    // Absent in the moment between the end of the process and its being waited for.
    if (kilobytes !== undefined) peakMb = Number(kilobytes) / 1024
  }, READING_MS)
  const result = await finished.finally(() => clearInterval(reading))
  return { ...result, peakMb, tookMs: performance.now() - begun }
}

const otherType = (number: number) => `${number}.${number % 2 === 0 ? 'log' : 'png'}`

describe('a folder of 100,000 files that are no documents, with runbooks among them', () => {
  it('is indexed in seconds and in bounded memory; what was skipped is counted and not listed', async () => {
    fill(otherType, () => 'x')
    const alone = await peakOf(['index', runbooks, '--data', join(folder.path, 'alone')])
    await cp(runbooks, many, { recursive: true })
    const crowded = await peakOf(['index', many, '--data', data])

    expect(crowded.exit).toBe(0)
    expect(crowded.stderr).toContain(`… and ${FILES - 5} more files of types that are not supported`)
    expect(crowded.stderr).toMatch(/ 4 new, 0 replaced, 0 unchanged, 0 removed\./)
    // Five names, how many more, the counts, what to do next; a slow machine adds lines of progress.
    expect(
      crowded.stderr
        .trimEnd()
        .split('\n')
        .filter((line) => !/^\d+\/\d+ /.test(line))
    ).toHaveLength(8)
    expect(crowded.tookMs - alone.tookMs).toBeLessThan(WALK_MS)
    expect(crowded.peakMb - alone.peakMb).toBeLessThan(MORE_MB)
    expect((await sourcesOf('etcd 磁盘空间满'))[0]).toContain('etcd-nospace.md')

    const report = await oncallJson<{ skipped: unknown[] }>(['index', many, '--data', data])
    expect(report).toMatchObject({ unchanged: 4, skippedTotal: FILES })
    expect(report.skipped).toHaveLength(NAMES_IN_JSON)

    // Nothing left but the others: an error of a few lines that costs nothing that was indexed before.
    for (const name of readdirSync(runbooks)) rmSync(join(many, name))
    const without = await oncall(['index', many, '--data', data])
    expect(without.stderr).toMatch(/NOTHING_TO_INDEX .*, and 99995 more\./)
    expect(without.stderr.length).toBeLessThan(1_000)
    expect(without.exit).toBe(1)
    expect((await sourcesOf('etcd 磁盘空间满'))[0]).toContain('etcd-nospace.md')
  })
})

interface Size {
  readonly documents: number
  /** Documents published since the data folder was made, each again when it was indexed again. */
  readonly writes: number
}

async function sizeOfIndex(): Promise<Size> {
  const { checks } = await oncallJson<{ checks?: { name: string; found: string; ok: boolean }[] }>([
    'doctor',
    '--data',
    data
  ])
  const found = checks?.find(({ name }) => name === 'index')?.found ?? ''
  const [, documents = '0', writes = '0'] = /^(\d+) documents, .* (\d+) writes$/.exec(found) ?? []
  return { documents: Number(documents), writes: Number(writes) }
}

/** Indexes until more than so many documents can be found, then presses Ctrl-C. */
async function indexUntilMoreThan(documents: number): Promise<Size> {
  const { finished, interrupt, isAlive } = startOncall(['index', many, '--data', data])
  let pressed: number
  try {
    while (isAlive() && (await sizeOfIndex()).documents <= documents) await sleep(READING_MS)
  } finally {
    pressed = performance.now()
    interrupt()
  }
  const { exit, stderr } = await finished
  expect(performance.now() - pressed).toBeLessThan(INTERRUPT_MS)
  expect(stderr).toMatch(/CANCELLED It was stopped before it ended\.\n +What was finished before is kept; run it again/)
  expect(exit).toBe(1)
  await expect.poll(isAlive, { timeout: INTERRUPT_MS }).toBe(false)
  return sizeOfIndex()
}

// In the order of their names, which is the order of the walk.
const nameOf = (number: number) => `${String(number).padStart(6, '0')}.md`

describe('Ctrl-C in a run over 100,000 Markdown files', () => {
  it(
    'ends within seconds; what was published answers; the next run goes on from there',
    async () => {
      fill(nameOf, (number) => `# 告警 ${number}\n\n错误码 E_${number}：重启服务。\n`)

      const first = await indexUntilMoreThan(0)
      expect(first.documents).toBeGreaterThan(0)
      expect(await sourcesOf('E_0')).toContain('many/000000.md')

      const second = await indexUntilMoreThan(first.documents)
      expect(second.documents).toBeGreaterThan(first.documents)
      // Every document was written once, so none of the first run was made again.
      expect(second.writes).toBe(second.documents)
      expect(await sourcesOf(`E_${first.documents}`)).toContain(`many/${nameOf(first.documents)}`)
    },
    SLOW_MS
  )
})
