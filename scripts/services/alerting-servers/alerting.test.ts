import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isSkipped, missingTool } from './required-tools.ts'
import type { StartedServer } from './run-file.ts'

const run = promisify(execFile)
const missing = await missingTool()
const script = join(import.meta.dirname, '../alerting')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncall alerting '))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.each([[[]], [['restart', 'x']], [['start']], [['start', 'a', 'b']], [['stop']]])(
  'what is no command is refused: %j',
  async (words) => {
    await expect(run(script, words)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('usage') })
  }
)

test('what is missing on the path is said, with where it comes from', async () => {
  // A path with Node alone.
  const env = { ...process.env, PATH: join(process.execPath, '..') }
  const started = run(process.execPath, [join(import.meta.dirname, 'start.ts'), folder], { env })
  await expect(started).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/needs prometheus.*apt-get/) })
})

describe.skipIf(isSkipped(missing))(
  `a real Prometheus and a real Alertmanager ${missing === undefined ? '' : `(skipped: ${missing})`}`,
  () => {
    test('started by the script live on until the script ends them, and a process with such a number is safe', async () => {
      const { stdout } = await run(script, ['start', folder])
      const [, prometheus, alertmanager] = /^PROMETHEUS_URL=(\S+)\nALERTMANAGER_URL=(\S+)\n$/.exec(stdout) ?? []
      expect((await fetch(`${prometheus}/-/ready`)).status).toBe(200)
      expect(await (await fetch(`${alertmanager}/api/v2/alerts`)).json()).toEqual([])
      await expect(run(script, ['start', folder])).rejects.toMatchObject({ stderr: expect.stringContaining('stop') })

      const runFile = join(folder, 'running.json')
      const servers = JSON.parse(await readFile(runFile, 'utf8')) as readonly StartedServer[]
      await run(script, ['stop', folder])
      await expect.poll(() => servers.some(({ pid }) => isAlive(pid)), { timeout: 30_000 }).toBe(false)
      // As if a number had been given to another process meanwhile.
      await writeFile(runFile, JSON.stringify(servers.map((server) => ({ ...server, pid: process.pid }))))
      await run(script, ['stop', folder])
      expect(existsSync(runFile)).toBe(false)
      await expect(run(script, ['stop', folder])).rejects.toMatchObject({ stderr: expect.stringContaining('nothing') })
    })

    test('of a test end with the process that started them, also when that is killed', async () => {
      const module = JSON.stringify(join(import.meta.dirname, 'start-alerting.ts'))
      const code = `const { startAlerting } = await import(${module})
        const { prometheus, alertmanager } = await startAlerting({ folder: ${JSON.stringify(folder)} })
        console.log(prometheus.pid + ' ' + alertmanager.pid)
        setInterval(() => undefined, 1_000)`
      const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code]
      const starter = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
      const [said] = (await once(starter.stdout, 'data')) as [Buffer]
      const pids = said.toString().trim().split(' ').map(Number)
      expect(pids.map(isAlive)).toEqual([true, true])
      starter.kill('SIGKILL')
      await expect.poll(() => pids.some(isAlive), { timeout: 30_000 }).toBe(false)
    })

    test('with rules that can not be read do not start, and the reason is told', async () => {
      const rules = join(folder, 'broken.yml')
      await writeFile(rules, 'groups: 7\n')
      const started = run(script, ['start', join(folder, 'broken'), '--rules', rules])
      await expect(started).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('did not start') })
    })
  }
)
