import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdLock } from './lock.ts'
import { isSkipped, missingTool } from './required-tools.ts'
import { startOpenSearch } from './start-opensearch.ts'
import type { RunningNode } from './start-opensearch.ts'

const run = promisify(execFile)
const missing = await missingTool()
const script = (name: string, folder: string) =>
  run(process.execPath, [join(import.meta.dirname, name), '--folder', folder])

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncall services '))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function nameOf(url: string): Promise<unknown> {
  const answer = (await (await fetch(url)).json()) as { readonly name: string; readonly version: object }
  return answer
}

test('every version of the node is pinned', async () => {
  const pom = await readFile(join(import.meta.dirname, 'pom.xml'), 'utf8')
  const versions = [...pom.matchAll(/<(?:\w+\.)?version>([^<]+)</g)].map(([, version]) => version!)
  expect(versions.length).toBeGreaterThan(8)
  for (const version of versions) expect(version).toMatch(/^(\d+(\.\d+)*|\$\{(opensearch|knn|log4j)\.version\})$/)
})

test('a lock is of one holder, is waited for, and is taken over from a process that died', async () => {
  const file = join(folder, 'lock')
  const release = await holdLock(file)
  let isSecond = false
  const second = holdLock(file).then((releaseSecond) => {
    isSecond = true
    return releaseSecond
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(isSecond).toBe(false)
  await release()
  await (
    await second
  )()
  // No process has this number: it is above the highest.
  await writeFile(file, String(2 ** 22 + 1))
  await (
    await holdLock(file)
  )()
  expect(existsSync(file)).toBe(false)
})

describe.skipIf(isSkipped(missing))(
  `a real OpenSearch ${missing === undefined ? '' : `(skipped: OpenSearch ${missing})`}`,
  () => {
    test('started by the script lives on until the script ends it, and a process with its number is safe', async () => {
      const { stdout } = await script('start.ts', folder)
      const { nodes } = JSON.parse(await readFile(join(folder, 'running.json'), 'utf8')) as { nodes: [RunningNode] }
      expect(stdout.trim()).toBe(nodes[0].url)
      expect(await nameOf(nodes[0].url)).toMatchObject({ name: 'n1', version: { number: '2.19.6' } })
      await expect(script('start.ts', folder)).rejects.toThrow('run stop.ts')

      // Another one beside it, which ends with whoever started it.
      const other = await startOpenSearch()
      expect(other.url).not.toBe(nodes[0].url)
      expect(await nameOf(other.url)).toMatchObject({ name: 'n1' })
      await other.stop()
      expect(isAlive(other.nodes[0]!.pid)).toBe(false)

      await script('stop.ts', folder)
      // Whoever inherited it may take a moment to notice that it ended.
      await expect.poll(() => isAlive(nodes[0].pid), { timeout: 10_000 }).toBe(false)
      // As if its number had been given to another process meanwhile.
      await writeFile(join(folder, 'running.json'), JSON.stringify({ nodes: [{ ...nodes[0], pid: process.pid }] }))
      await script('stop.ts', folder)
      expect(existsSync(join(folder, 'running.json'))).toBe(false)
    })
  }
)
