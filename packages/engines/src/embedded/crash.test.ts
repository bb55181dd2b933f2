import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Random } from '@oncall-agent/retrieval/conformance'
import { markedDocument } from './test-support/marked-document.ts'
import { markedEntry } from './test-support/marked-entry.ts'
import { openTestReader } from './test-support/open-reader.ts'
import { inTemporaryFolder, testFingerprint } from './test-support/temporary-index.ts'
import { wholeEntryEverywhere } from './test-support/whole-entry.ts'
import { wholeVersionEverywhere } from './test-support/whole-version.ts'
import { openWriter } from './writing/index-writer.ts'

const KILLS = 200
/** Folders at work at once: most of the time goes into starting processes. */
const LANES = 4
/** A replacement takes some milliseconds, so a kill after up to this long hits every part of one. */
const LONGEST_LIFE_MS = 25

const program = join(import.meta.dirname, 'test-support', 'replace-for-ever.ts')

/** Half of a start is compiling: killed processes write no cache, so one that ends by itself fills it for all. */
function environmentFor(cache: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: cache }
}

interface Lane {
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly random: Random
}

/** Lets a process replace the document from a version on, kills it, and gives the last version that it said was done. */
async function replaceUntilKilled(lane: Lane, first: number): Promise<number> {
  const child = spawn(process.execPath, [program, lane.directory, String(first)], {
    env: lane.environment,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let said = ''
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString('utf8')
  })
  await once(child.stdout, 'data')
  await sleep(lane.random.next() * LONGEST_LIFE_MS)
  child.kill('SIGKILL')
  await once(child, 'close')
  return Number(said.trimEnd().split('\n').at(-1))
}

function integrityOf(directory: string): unknown {
  const database = new DatabaseSync(join(directory, 'index.db'))
  try {
    return database.prepare('PRAGMA integrity_check').get()?.integrity_check
  } finally {
    database.close()
  }
}

async function killAgainAndAgain(lane: Lane): Promise<number> {
  const { directory } = lane
  const writer = openWriter({ directory, fingerprint: testFingerprint, busyTimeoutMs: 5_000 })
  const { document, chunks } = markedDocument(1)
  writer.replace(document, chunks, markedEntry(1))
  writer.close()
  let version = 1
  for (let kill = 0; kill < KILLS / LANES; kill++) {
    const said = await replaceUntilKilled(lane, version + 1)
    // Nobody has the file open now, so opening it is the recovery that a restart does.
    const { reader } = openTestReader(directory)
    const found = wholeVersionEverywhere(reader)
    expect(wholeEntryEverywhere(reader)).toBe(found)
    expect(reader.verify()).toEqual([])
    reader.close()
    expect([said, said + 1]).toContain(found)
    expect(integrityOf(directory)).toBe('ok')
    version = found
  }
  return version
}

describe('a writer that is killed', () => {
  it('leaves the old version or the new one, whole with its entry, wherever it is killed, and loses none that it had finished', async () => {
    await inTemporaryFolder(async (cache) => {
      const environment = environmentFor(cache)
      expect(spawnSync(process.execPath, [program], { env: environment }).status).toBe(0)
      const lanes = Array.from({ length: LANES }, (_, number) =>
        inTemporaryFolder((directory) => killAgainAndAgain({ directory, environment, random: new Random(number) }))
      )
      for (const version of await Promise.all(lanes)) expect(version).toBeGreaterThan(KILLS / LANES)
    })
  }, 300_000)
})
