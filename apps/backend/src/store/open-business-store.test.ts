import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBusinessStore } from './open-business-store.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-store-'))
})

afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

const run = {
  runId: 'run-1',
  tenantId: 'local',
  userId: 'local',
  createdAt: 1_000,
  query: 'etcd 磁盘空间满了怎么办',
  outcome: 'ok' as const,
  record: { candidates: [{ chunkId: 'a#0000', vectorRank: 1, bm25Rank: null }] }
}

describe('the business store', () => {
  it('gives back a run as it was stored, after it was closed and opened again', async () => {
    const first = openBusinessStore(directory)
    await first.runs.insert(run)
    await first.close()

    const second = openBusinessStore(directory)
    expect(await second.runs.find('local', 'run-1')).toEqual(run)
    await second.close()
  })

  it("does not know another tenant's run", async () => {
    const store = openBusinessStore(directory)
    await store.runs.insert(run)
    expect(await store.runs.find('someone-else', 'run-1')).toBeUndefined()
    await store.close()
  })

  it('forgets, when it stores a run, those that are older than ninety days, and no other', async () => {
    const ninetyDays = 90 * 86_400_000
    const store = openBusinessStore(directory)
    await store.runs.insert(run)
    await store.runs.insert({ ...run, runId: 'run-2', createdAt: run.createdAt + 1 })
    await store.runs.insert({ ...run, runId: 'run-3', createdAt: run.createdAt + ninetyDays })
    expect(await store.runs.find('local', 'run-1')).toBeDefined()

    await store.runs.insert({ ...run, runId: 'run-4', createdAt: run.createdAt + 1 + ninetyDays })
    expect(await store.runs.find('local', 'run-1')).toBeUndefined()
    expect(await store.runs.find('local', 'run-2')).toBeDefined()
    await store.close()
  })

  it('forgets nothing when the new run can not be stored', async () => {
    const store = openBusinessStore(directory)
    await store.runs.insert(run)
    const refused = { ...run, runId: 'run-2', createdAt: Date.now(), outcome: 'lost' as 'ok' }
    await expect(store.runs.insert(refused)).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    expect(await store.runs.find('local', 'run-1')).toEqual(run)
    await store.close()
  })

  it('gives one knowledge base for one name, and tells tenants apart', async () => {
    const store = openBusinessStore(directory)
    const mine = await store.knowledgeBases.ensure('local', '运行手册')
    const again = await store.knowledgeBases.ensure('local', '运行手册')
    const theirs = await store.knowledgeBases.ensure('other', '运行手册')
    expect(again).toEqual(mine)
    expect(theirs.id).not.toBe(mine.id)
    expect(await store.knowledgeBases.ofTenant('local')).toEqual([mine])
    await store.close()
  })

  it('undoes a transaction whose work throws, and throws what it threw', async () => {
    const store = openBusinessStore(directory)
    const fault = new TypeError('a fault of the caller')
    const undone = store.transaction(async (tables) => {
      await tables.knowledgeBases.ensure('local', 'undone')
      throw fault
    })
    await expect(undone).rejects.toBe(fault)
    expect(await store.knowledgeBases.ofTenant('local')).toEqual([])
    await store.close()
  })

  it('is made once when six processes open a fresh folder at the same time', async () => {
    const module = new URL('./open-business-store.ts', import.meta.url).href
    const script = `
      const { openBusinessStore } = await import(${JSON.stringify(module)})
      const store = openBusinessStore(${JSON.stringify(directory)})
      process.stdout.write((await store.knowledgeBases.ensure('local', 'default')).id)
      await store.close()`
    const opened = await Promise.all(
      Array.from({ length: 6 }, () =>
        promisify(execFile)(process.execPath, [
          '--disable-warning=ExperimentalWarning',
          '--input-type=module',
          '-e',
          script
        ])
      )
    )
    expect(new Set(opened.map(({ stdout }) => stdout)).size).toBe(1)
  })

  it('refuses a file of a newer version and says both versions', () => {
    openBusinessStore(directory).close()
    const file = join(directory, 'business.db')
    const raw = new DatabaseSync(file)
    raw.exec('PRAGMA user_version = 99')
    raw.close()
    expect(() => openBusinessStore(directory)).toThrow(
      expect.objectContaining({ code: 'DATA_FORMAT_NEWER', message: expect.stringMatching(/facts 99.*up to 10/) })
    )
  })

  it('says that a file is damaged instead of writing over it', async () => {
    const file = join(directory, 'business.db')
    await writeFile(file, 'this is no database, it only lies in its place\n'.repeat(200))
    expect(() => openBusinessStore(directory)).toThrow(expect.objectContaining({ code: 'DATA_CORRUPT' }))
  })

  it('names the folder that can not be made', async () => {
    const file = join(directory, 'a-file')
    await writeFile(file, '')
    expect(() => openBusinessStore(join(file, 'data'))).toThrow(
      expect.objectContaining({ code: 'PATH_UNREADABLE', message: expect.stringContaining('a-file') })
    )
  })

  it('finds nothing wrong with a fresh file', async () => {
    const store = openBusinessStore(directory)
    expect(await store.verify()).toEqual([])
    await store.close()
  })

  it.skipIf(process.getuid?.() !== 0)(
    'says that a disk is full, and is whole when there is room again (needs root to mount)',
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory])
      try {
        const before = openBusinessStore(directory)
        const base = await before.knowledgeBases.ensure('local', 'default')
        await before.close()
        await writeFile(join(directory, 'filler'), Buffer.alloc(3_000_000)).catch(() => undefined)
        expect(() => openBusinessStore(directory)).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }))

        await rm(join(directory, 'filler'))
        const after = openBusinessStore(directory)
        expect(await after.knowledgeBases.ofTenant('local')).toEqual([base])
        await after.close()
      } finally {
        execFileSync('umount', ['-l', directory])
      }
    }
  )

  it.skipIf(process.getuid?.() !== 0)(
    'says of a transaction that fills the disk that it is full, not that it could not be undone (needs root to mount)',
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', directory])
      try {
        const store = openBusinessStore(directory)
        const filling = store.transaction(async (tables) => {
          for (let number = 0; number < 50_000; number++) await tables.knowledgeBases.ensure('local', `base ${number}`)
        })
        await expect(filling).rejects.toMatchObject({ code: 'STORAGE_FULL' })
        expect(await store.knowledgeBases.ofTenant('local')).toEqual([])
        await store.close()
      } finally {
        execFileSync('umount', ['-l', directory])
      }
    }
  )
})
