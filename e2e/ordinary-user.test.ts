import { chmod, cp, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Finished, oncall, ordinaryUser, runbooks, temporaryFolder } from './oncall.ts'

const CLOSED = 0o000
const FILE = 0o644
const FOLDER = 0o755

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
let books: string
let file: string
let subfolder: string

beforeEach(async () => {
  folder = await temporaryFolder(ordinaryUser)
  data = join(folder.path, 'data')
  books = join(folder.path, 'books')
  file = join(books, 'etcd-nospace.md')
  subfolder = join(books, 'network')
  await cp(runbooks, books, { recursive: true })
  await mkdir(subfolder)
  await rename(join(books, 'connection-reset.md'), join(subfolder, 'connection-reset.md'))
})

afterEach(async () => {
  await open()
  await folder.remove()
})

/** As somebody whom file modes hinder, also where the tests run as root. */
const run = (...args: string[]): Promise<Finished> =>
  oncall([...args, '--data', data], { HOME: folder.path }, ordinaryUser)

async function close(): Promise<void> {
  await chmod(file, CLOSED)
  await chmod(subfolder, CLOSED)
}

async function open(): Promise<void> {
  await chmod(file, FILE)
  await chmod(subfolder, FOLDER)
}

async function expectFound(query: string, source: string, words: string): Promise<void> {
  const { stdout } = await run('retrieve', query, '--json')
  const { results } = JSON.parse(stdout) as { results: { source: string; content: string }[] }
  expect(results[0]!.source).toContain(source)
  expect(results.map(({ content }) => content).join('\n')).toContain(words)
}

describe('files that the user may not read', () => {
  it('are named with exit code 1, one line each, and the rest is indexed', async () => {
    await close()
    const finished = await run('index', books)
    expect(finished.stderr).toMatch(/PATH_UNREADABLE .*etcd-nospace\.md may not be read by this user/)
    expect(finished.stderr).toMatch(/PATH_UNREADABLE .*network may not be read by this user/)
    expect(finished.stderr).toMatch(/ 2 new, 0 replaced, 0 unchanged, 0 removed, 2 failed\./)
    expect(finished.stderr.trimEnd().split('\n')).toHaveLength(3)
    expect(finished.exit).toBe(1)
    await expectFound('KubePodCrashLooping diagnosis', 'crash-looping.md', 'kubectl describe pod')
  })

  it('that were indexed before keep their previous version, and are taken up when they can be read again', async () => {
    expect((await run('index', books)).exit).toBe(0)
    await writeFile(file, '# etcd 磁盘空间满\n\n改为先执行 NEWER-STEP 再碎片整理。\n')
    await writeFile(join(books, 'new.md'), '# 磁盘只读\n\n错误码 E_READONLY：重新挂载。\n')
    await close()

    const closed = await run('index', books)
    expect(closed.stderr).toMatch(/ 1 new, 0 replaced, 2 unchanged, 0 removed, 2 failed\./)
    expect(closed.exit).toBe(1)
    await expectFound('etcd 磁盘空间满', 'etcd-nospace.md', 'etcdserver: mvcc: database space exceeded')
    await expectFound('E_CONN_RESET 怎么恢复', 'connection-reset.md', 'E_CONN_RESET')
    await expectFound('E_READONLY', 'new.md', '重新挂载')

    await open()
    const opened = await run('index', books)
    expect(opened.stderr).toMatch(/ 0 new, 1 replaced, 4 unchanged, 0 removed\./)
    expect(opened.exit).toBe(0)
    await expectFound('etcd 磁盘空间满', 'etcd-nospace.md', 'NEWER-STEP')
  })

  it('that are all there is, or are given by name, end the run before anything is made or lost', async () => {
    expect((await run('index', books)).exit).toBe(0)
    await close()
    for (const path of [file, subfolder]) {
      const finished = await run('index', path)
      expect(finished.stderr).toContain(`PATH_UNREADABLE ${path} may not be read by this user`)
      expect(finished.exit).toBe(1)
    }
    await expectFound('E_CONN_RESET 怎么恢复', 'connection-reset.md', 'E_CONN_RESET')
  })

  it('a data folder that the user may not write is named, with exit code 1', async () => {
    await mkdir(data)
    await chmod(data, 0o555)
    const finished = await run('index', books)
    await chmod(data, FOLDER)
    expect(finished.stderr).toContain(data)
    expect(finished.stderr).toMatch(/PATH_UNREADABLE The data folder cannot be used/)
    expect(finished.exit).toBe(1)
  })
})
