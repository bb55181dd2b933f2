import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { create, extract } from 'tar'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBusinessStore } from '../open-business-store.ts'
import { MANIFEST_FILE } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

let scratch: string
let data: string
let file: string
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'oncall-backup-test-'))
  data = join(scratch, 'data')
  file = join(scratch, 'backup.tar')
  const store = openBusinessStore(data)
  await store.knowledgeBases.ensure('ana', '运行手册')
  await store.close()
  const index = new DatabaseSync(join(data, 'index.db'))
  index.exec('PRAGMA journal_mode = WAL; CREATE TABLE chunk (text); INSERT INTO chunk VALUES (1)')
  index.close()
  mkdirSync(join(data, 'files/d1'), { recursive: true })
  mkdirSync(join(data, 'files/incoming'))
  writeFileSync(join(data, 'files/d1/1'), 'first version')
  writeFileSync(join(data, 'files/incoming/half'), 'half of a fi')
})
afterEach(() => rm(scratch, { recursive: true, force: true }))

const back = () =>
  writeBackup({ dataDirectory: data, file, version: '0.1.0', embedder: { model: 'small', dimension: 4 } })
const restore = (to = join(scratch, 'restored')) => restoreBackup({ file, dataDirectory: to })
const basesIn = async (directory: string) => {
  const store = openBusinessStore(directory)
  const bases = await store.knowledgeBases.ofTenant('ana')
  await store.close()
  return bases.map(({ name }) => name)
}

/** Takes a backup apart, lets something happen to it, and puts it together again. */
async function tamper(change: (folder: string) => void): Promise<void> {
  const folder = await mkdtemp(join(scratch, 'tampered-'))
  await extract({ file, cwd: folder })
  change(folder)
  await rm(file)
  await create({ file, cwd: folder }, readdirSync(folder))
}

describe('a backup', () => {
  it('holds facts, index and uploads, and comes back as it was', async () => {
    const report = await back()
    expect(report.files).toBe(3)
    const restored = await restore()
    expect(restored).toMatchObject({ files: 3, manifest: { version: '0.1.0', embedder: { model: 'small' } } })
    expect(await basesIn(restored.dataDirectory)).toEqual(['运行手册'])
    expect(readFileSync(join(restored.dataDirectory, 'files/d1/1'), 'utf8')).toBe('first version')
    expect(existsSync(join(restored.dataDirectory, MANIFEST_FILE))).toBe(false)
    expect(existsSync(join(restored.dataDirectory, 'files/incoming'))).toBe(false)
  })

  it('is of one moment, whatever is written to facts and index meanwhile', async () => {
    const facts = new DatabaseSync(join(data, 'business.db'))
    const index = new DatabaseSync(join(data, 'index.db'))
    facts.exec('CREATE TABLE pair (n)')
    index.exec('CREATE TABLE pair (n)')
    let written = 0
    // Facts first, as a publication's task does it: a backup may lack the second of a pair, never the first.
    const writer = setInterval(() => {
      facts.prepare('INSERT INTO pair VALUES (?)').run(++written)
      index.prepare('INSERT INTO pair VALUES (?)').run(written)
    }, 1)
    for (let round = 0; round < 5; round++) {
      await back()
      const { dataDirectory } = await restore()
      const count = (name: string) => {
        const database = new DatabaseSync(join(dataDirectory, name))
        const { n } = database.prepare('SELECT count(*) AS n FROM pair').get() as { n: number }
        database.close()
        return n
      }
      expect(count('business.db')).toBe(count('index.db'))
      await rm(dataDirectory, { recursive: true })
      await rm(file)
    }
    clearInterval(writer)
    expect(written).toBeGreaterThan(5)
    facts.close()
    index.close()
  })

  it('never overwrites a file, and leaves nothing beside it when it fails', async () => {
    writeFileSync(file, 'precious')
    await expect(back()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(readFileSync(file, 'utf8')).toBe('precious')
    await rm(file)
    writeFileSync(join(data, 'index.db'), 'no database at all, and longer than a header of one hundred bytes'.repeat(9))
    await expect(back()).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    expect(readdirSync(scratch)).toEqual(['data'])
  })

  it('of a folder without data says so', async () => {
    data = join(scratch, 'nothing')
    await expect(back()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('restoring', () => {
  beforeEach(back)

  it('never overwrites a folder that holds something, and takes an empty one', async () => {
    await expect(restore(data)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(data) })
    expect(await basesIn(data)).toEqual(['运行手册'])
    mkdirSync(join(scratch, 'empty'))
    expect(await basesIn((await restore(join(scratch, 'empty'))).dataDirectory)).toEqual(['运行手册'])
  })

  it.each([
    ['a changed file', (folder: string) => writeFileSync(join(folder, 'files/d1/1'), 'first Version'), 'files/d1/1'],
    ['a missing file', (folder: string) => rmSync(join(folder, 'index.db')), 'lacks index.db'],
    ['one file more', (folder: string) => writeFileSync(join(folder, 'more'), ''), 'holds more'],
    ['no manifest', (folder: string) => rmSync(join(folder, MANIFEST_FILE)), 'no backup']
  ])('refuses %s and leaves nothing', async (_what, change, named) => {
    await tamper(change)
    await expect(restore()).rejects.toMatchObject({ code: 'DATA_CORRUPT', message: expect.stringContaining(named) })
    expect(readdirSync(scratch).filter((name) => name.includes('restore'))).toEqual([])
  })

  it('follows no path out of the folder, and no link', async () => {
    await tamper((folder) => {
      symlinkSync('/etc', join(folder, 'link'))
      editManifest(folder, (manifest) => {
        manifest.files = [{ path: '../outside', bytes: 0, sha256: createHash('sha256').digest('hex') }]
      })
    })
    await expect(restore()).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    expect(existsSync(join(scratch, 'outside'))).toBe(false)
  })

  it('refuses a newer format and newer facts, and names the version that can', async () => {
    await tamper((folder) =>
      editManifest(folder, (manifest) => Object.assign(manifest, { facts: 99, version: '9.0.0' }))
    )
    await expect(restore()).rejects.toMatchObject({ code: 'DATA_FORMAT_NEWER', hint: expect.stringContaining('9.0.0') })
    await tamper((folder) => editManifest(folder, (manifest) => Object.assign(manifest, { format: 2 })))
    await expect(restore()).rejects.toMatchObject({ code: 'DATA_FORMAT_NEWER' })
  })

  it('says of a file that is no backup, or is cut off, what it is', async () => {
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, whole.length / 2))
    await expect(restore()).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    writeFileSync(file, 'hello '.repeat(1_000))
    await expect(restore()).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    await rm(file)
    await expect(restore()).rejects.toMatchObject({ code: 'PATH_UNREADABLE' })
  })
})

function editManifest(folder: string, edit: (manifest: { files: unknown[] }) => void): void {
  const path = join(folder, MANIFEST_FILE)
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: unknown[] }
  edit(manifest)
  writeFileSync(path, JSON.stringify(manifest))
}
