import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Finished, oncall, oncallJson, repository, runbooks, shared, temporaryFolder } from './oncall.ts'

interface Failed {
  failed: { path: string; code: string; message: string }[]
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
let books: string

beforeEach(async () => {
  folder = await temporaryFolder()
  data = join(folder.path, 'data')
  books = join(folder.path, 'books')
  await mkdir(books)
})

afterEach(() => folder.remove())

/** The runbooks answer as before: nothing that went wrong since has touched them. */
async function expectRunbooksWhole(): Promise<void> {
  const answer = await oncallJson<{ results: { source: string }[] }>(['retrieve', 'etcd 磁盘空间满', '--data', data])
  expect(answer.results[0]!.source).toContain('etcd-nospace.md')
}

const indexRunbooks = () => oncall(['index', runbooks, '--data', data])
const index = (...paths: string[]) => oncall(['index', ...paths, '--data', data])

function expectRefused(finished: Finished, code: string, words: RegExp): void {
  expect(finished.stderr).toContain(code)
  expect(finished.stderr).toMatch(words)
  expect(finished.exit).toBe(1)
}

describe('bad input gets a clear message, exit code 1, and costs nothing that was indexed before', () => {
  it('a path that does not exist', async () => {
    await indexRunbooks()
    expectRefused(await index(join(folder.path, 'nowhere')), 'PATH_UNREADABLE', /nowhere/)
    await expectRunbooksWhole()
  })

  it('a path that does not exist leaves no data folder behind that would look like one', async () => {
    expectRefused(await index(join(folder.path, 'nowhere')), 'PATH_UNREADABLE', /nowhere/)
    expect(existsSync(data)).toBe(false)
  })

  it('a port that another process listens on', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const finished = await oncall(['serve', '--data', data], { KB_SERVER__PORT: String(port) })
    other.close()
    expectRefused(finished, 'CONFIG_INVALID', new RegExp(`Port ${port} .* in use`))
  })

  it('an empty folder', async () => {
    await indexRunbooks()
    expectRefused(await index(books), 'NOTHING_TO_INDEX', /no document/i)
    await expectRunbooksWhole()
  })

  it('a file that can not be read, among files that can', async () => {
    await copyFile(join(runbooks, 'etcd-nospace.md'), join(books, 'etcd-nospace.md'))
    await symlink(join(books, 'gone.md'), join(books, 'dangling.md'))
    const finished = await index(books)
    expectRefused(finished, 'PATH_UNREADABLE', /dangling\.md/)
    await expectRunbooksWhole()
  })

  it('a binary that is named .md', async () => {
    await writeFile(
      join(books, 'picture.md'),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
    )
    await indexRunbooks()
    expectRefused(await index(books), 'DOCUMENT_UNREADABLE', /picture\.md/)
    await expectRunbooksWhole()
  })

  it('a folder that holds itself through a symbolic link', async () => {
    await copyFile(join(runbooks, 'etcd-nospace.md'), join(books, 'etcd-nospace.md'))
    await symlink(books, join(books, 'again'))
    const finished = await index(books)
    expect(finished.exit).toBe(0)
    await expectRunbooksWhole()
  })

  it('a data folder of a newer version, both the facts and the index', async () => {
    await indexRunbooks()
    for (const file of ['business.db', 'index.db']) {
      const copy = join(folder.path, `newer-${file}`)
      await mkdir(copy)
      for (const name of await readdir(data))
        if (name.endsWith('.db')) await copyFile(join(data, name), join(copy, name))
      const database = new DatabaseSync(join(copy, file))
      database.exec('PRAGMA user_version = 999')
      database.close()
      for (const args of [
        ['retrieve', 'etcd'],
        ['index', runbooks]
      ])
        expectRefused(await oncall([...args, '--data', copy]), 'DATA_FORMAT_NEWER', /newer/)
    }
    await expectRunbooksWhole()
  })

  it('a damaged index', async () => {
    await indexRunbooks()
    await writeFile(join(data, 'index.db'), 'no database at all\n'.repeat(1000))
    expectRefused(await oncall(['retrieve', 'etcd', '--data', data]), 'DATA_CORRUPT', /damaged|not a database/)
  })

  it('a question before anything was indexed is an error, not an empty answer', async () => {
    const finished = await oncall(['retrieve', 'etcd', '--data', data])
    expectRefused(finished, 'NOT_FOUND', /oncall index/)
    expect(existsSync(data)).toBe(false)
  })

  it('an empty question and a wrong option, told to a program as JSON', async () => {
    await indexRunbooks()
    const empty = await oncall(['retrieve', '   ', '--data', data, '--json'])
    expect(empty.exit).toBe(1)
    expect(JSON.parse(empty.stdout)).toMatchObject({ error: { code: 'VALIDATION_FAILED' } })
  })

  it.each([
    ['--no-such-option', /no-such-option/],
    ['--top-k=0', /whole number of at least 1/],
    ['--top-k=many', /whole number of at least 1/],
    ['--meta=owner', /key=value/]
  ])('%s is wrong usage, exit code 2', async (option, words) => {
    const { exit, stdout } = await oncall(['retrieve', 'etcd', option, '--data', data, '--json'])
    expect(exit).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'VALIDATION_FAILED', message: expect.stringMatching(words) }
    })
  })

  it('a setting that is not allowed stops the start with its name', async () => {
    const finished = await oncall(['config', 'print'], { KB_SERVER__PORT: 'eighty' })
    expectRefused(finished, 'CONFIG_INVALID', /server\.port|KB_SERVER__PORT/)
  })

  it('two index runs at once on one data folder: the second is told who holds it, the first is whole', async () => {
    const many = join(folder.path, 'many')
    await mkdir(many)
    for (let number = 0; number < 60; number++) {
      await writeFile(
        join(many, `note-${number}.md`),
        `# 说明 ${number}\n\n${'磁盘告警处置步骤。'.repeat(60)} E_${number}\n`
      )
    }
    const first = spawn(join(repository, 'bin/oncall'), ['index', many, '--data', data], { stdio: 'ignore' })
    const ended = new Promise<number | null>((resolve) => first.once('exit', resolve))
    while (!existsSync(join(data, 'index.db'))) await new Promise((resolve) => setTimeout(resolve, 50))
    expectRefused(await index(runbooks), 'DATA_LOCKED', /process/)
    expect(await ended).toBe(0)
    const { unchanged } = await oncallJson<{ unchanged: number }>(['index', many, '--data', data])
    expect(unchanged).toBe(60)
  })
})

describe('a disk without space', () => {
  const canMount = process.getuid?.() === 0
  it.skipIf(!canMount)(
    'ends the run with STORAGE_FULL and keeps what was indexed before (needs root to mount)',
    async () => {
      const disk = join(folder.path, 'disk')
      await mkdir(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk])
      try {
        const small = join(disk, 'data')
        const before = await oncall(['index', runbooks, '--data', small])
        expect(before.exit).toBe(0)
        for (let number = 0; number < 4; number++) {
          await writeFile(
            join(books, `big-${number}.txt`),
            `第 ${number} 号 ${'磁盘告警 处置 步骤 reset timeout '.repeat(900)}`
          )
        }
        expectRefused(await oncall(['index', books, '--data', small]), 'STORAGE_FULL', /space/)
        // Room again: what was indexed before answers, and the run can be taken up.
        execFileSync('mount', ['-o', 'remount,size=64m', disk])
        const answer = await oncallJson<{ results: { source: string }[] }>([
          'retrieve',
          'etcd 磁盘空间满',
          '--data',
          small
        ])
        expect(answer.results[0]!.source).toContain('etcd-nospace.md')
        const { checks } = await oncallJson<{ checks: { name: string; ok: boolean }[] }>(['doctor', '--data', small])
        expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['free space'])
      } finally {
        execFileSync('umount', ['-l', disk])
      }
    }
  )
})

const peer = (name: string) => join(shared, 'cases/peers', name)

describe.skipIf(!existsSync(peer('')))('awkward documents (needs ../shared/cases beside the repository)', () => {
  it('are each refused with their own reason, in one run, and the readable ones among them are read', async () => {
    const refused: Record<string, RegExp> = {
      'empty.md': /empty/i,
      'whitespace_only.md': /empty|no text|white/i,
      'heading_only.md': /heading/i,
      'enc_nul.md': /NUL|binary/i,
      'enc_invalid_utf8.md': /encoding/i,
      'not_a_pdf.pdf': /PDF/,
      'pdf_truncated.pdf': /damaged|broken/i,
      'pdf_scanned_only.pdf': /no text|scan/i
    }
    const readable = ['enc_gbk.md', 'enc_utf16le_bom.md', 'enc_utf8_bom.md', 'front_matter.md']
    const encodings = (await readdir(peer(''))).filter((name) => name.startsWith('enc_'))
    expect([...Object.keys(refused), ...readable]).toEqual(expect.arrayContaining(encodings))
    for (const name of [...Object.keys(refused), ...readable]) await copyFile(peer(name), join(books, name))
    await indexRunbooks()

    const finished = await oncall(['index', books, '--data', data, '--json'])
    expect(finished.exit).toBe(1)
    const { failed, indexed } = JSON.parse(finished.stdout) as Failed & { indexed: number }
    expect(indexed).toBe(readable.length)
    expect(failed.map(({ path }) => basename(path)).toSorted()).toEqual(Object.keys(refused).toSorted())
    for (const { path, code, message } of failed) {
      expect(code).toBe('DOCUMENT_UNREADABLE')
      expect(message).toMatch(refused[basename(path)]!)
    }
    await expectRunbooksWhole()

    const answer = await oncallJson<{ results: { content: string; source: string }[] }>([
      'retrieve',
      'ORA-12516 监听器',
      '--data',
      data
    ])
    const texts = answer.results.filter(({ source }) => source.includes('enc_')).map(({ content }) => content)
    expect(texts).toHaveLength(3)
    for (const text of texts) expect(text).toMatch(/ORA-12516 表示监听器/)
  })

  it('a line of 40,000 characters without a break is split, and the word at its end is found', async () => {
    const line = (await readFile(peer('long_line_ascii.md'), 'utf8')).slice(-40_000)
    await writeFile(join(books, 'long.txt'), line)
    const report = await oncallJson<{ indexed: number; chunks: number }>(['index', books, '--data', data])
    expect(report.indexed).toBe(1)
    expect(report.chunks).toBeGreaterThan(10)
    const answer = await oncallJson<{ results: { content: string }[] }>(['retrieve', 'LONGLINE-END', '--data', data])
    expect(answer.results[0]!.content).toContain('LONGLINE-END')
  })
})

const pdf = (name: string) => join(shared, 'files/pdf', name)

describe.skipIf(!existsSync(pdf('')))('awkward PDFs (needs ../shared/files beside the repository)', () => {
  it('scanned, damaged and locked ones are refused by name, in one run, and the readable ones are read', async () => {
    const refused: Record<string, RegExp> = {
      'issue7229.pdf': /no text layer/,
      'cmykjpeg.pdf': /no text layer/,
      'empty#hash.pdf': /no text layer/,
      'poppler-395-0-fuzzed.pdf': /damaged/,
      'bug1980958.pdf': /damaged|no text layer/,
      'issue15590.pdf': /damaged|no text layer/,
      'poppler-85140-0.pdf': /damaged|no text layer/,
      'bug1782186.pdf': /password/i,
      'issue6010_1.pdf': /password/i
    }
    const readable = ['issue9105_reduced.pdf', 'poppler-67295-0.pdf', 'two_paragraphs.pdf', 'bomb_giant.pdf']
    for (const name of [...Object.keys(refused), ...readable]) await copyFile(pdf(name), join(books, name))
    await indexRunbooks()

    const finished = await oncall(['index', books, '--data', data, '--json'])
    expect(finished.exit).toBe(1)
    const { failed, indexed } = JSON.parse(finished.stdout) as Failed & { indexed: number }
    expect(indexed).toBe(readable.length)
    expect(failed.map(({ path }) => basename(path)).toSorted()).toEqual(Object.keys(refused).toSorted())
    for (const { path, code, message } of failed) {
      expect(code).toBe('DOCUMENT_UNREADABLE')
      expect(message).toContain(basename(path))
      expect(message).toMatch(refused[basename(path)]!)
    }
    await expectRunbooksWhole()
    const answer = await oncallJson<{ results: { source: string }[] }>(['retrieve', 'TestString123', '--data', data])
    expect(answer.results[0]!.source).toContain('poppler-67295-0.pdf')
  })
})
