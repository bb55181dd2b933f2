import { execFile } from 'node:child_process'
import { appendFile, cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Finished, oncall, oncallJson, repository, runbooks, temporaryFolder } from './oncall.ts'

interface Answer {
  results: { chunkId: string; content: string; source: string; score: number; bm25Rank: number | null }[]
  citations: { id: string; start: number; end: number }[]
  stages: { name: string; status: string }[]
  runId: string | null
}

interface Report {
  indexed: number
  replaced: number
  unchanged: number
  removed: number
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let books: string
let data: string
let indexed: Finished

beforeAll(async () => {
  folder = await temporaryFolder()
  books = join(folder.path, 'runbooks')
  data = join(folder.path, 'data')
  await cp(runbooks, books, { recursive: true })
  indexed = await oncall(['index', books, '--data', data])
})

afterAll(() => folder.remove())

const retrieve = (query: string, ...more: string[]) => oncallJson<Answer>(['retrieve', query, '--data', data, ...more])

/** Retrieves in a shell that sends the answer somewhere. */
const shell = (into: string) =>
  promisify(execFile)('sh', [
    '-c',
    `"$0" retrieve etcd --data "$1" --explain ${into}`,
    join(repository, 'bin/oncall'),
    data
  ])

describe('the main job: index a folder, ask, get evidence that explains itself', () => {
  it('tells a person what was indexed', () => {
    expect(indexed.stderr).toMatch(/Indexed \d+ chunks in .*: 4 new, 0 replaced, 0 unchanged, 0 removed\./)
    expect(indexed).toMatchObject({ exit: 0, stdout: '' })
  })

  it('finds the Chinese runbook by a Chinese question', async () => {
    const answer = await retrieve('etcd 磁盘空间满了怎么办')
    expect(answer.results[0]!.source).toContain('etcd-nospace.md')
    expect(answer.results.length).toBeLessThanOrEqual(5)
  })

  it('finds the English runbook by a Chinese question, which shares no word with it', async () => {
    const answer = await retrieve('容器不断重启怎么排查')
    expect(answer.results[0]!.source).toContain('crash-looping.md')
  })

  it('finds a row of a table by its error code, by words and by meaning', async () => {
    const answer = await retrieve('E_CONN_RESET 怎么恢复')
    expect(answer.results[0]!.source).toContain('connection-reset.md')
    expect(answer.results[0]!.content).toContain('E_CONN_RESET')
    expect(answer.results[0]!.bm25Rank).toBe(1)
  })

  it('finds the section of an alert page by the name of the alert', async () => {
    const answer = await retrieve('KubePodCrashLooping diagnosis')
    expect(answer.results[0]!.content).toContain('kubectl describe pod')
  })

  it('answers with a citation for each result, in order, sorted by the rerank score', async () => {
    const answer = await retrieve('redis 内存')
    expect(answer.citations.map(({ id }) => id)).toEqual(answer.results.map(({ chunkId }) => chunkId))
    const scores = answer.results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((left, right) => right - left))
    expect(answer.stages.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'embed ok',
      'vector ok',
      'lexical ok',
      'fuse ok',
      'rerank ok'
    ])
  })

  it('returns as many pieces as asked, and never more than five', async () => {
    expect((await retrieve('etcd', '--top-k', '1')).results).toHaveLength(1)
    expect((await retrieve('重启', '--top-k', '50')).results.length).toBeLessThanOrEqual(5)
  })

  it('explains an answer to a person: stages, candidates and what the score is made of', async () => {
    const { stdout, exit } = await oncall(['retrieve', 'etcdctl alarm disarm', '--data', data, '--explain'])
    expect(exit).toBe(0)
    expect(stdout).toMatch(/\[1\] .*etcd-nospace\.md/)
    for (const words of ['lexical (BM25L)', 'vector (cosine)', 'fuse (RRF)', 'rerank', 'Candidates']) {
      expect(stdout).toContain(words)
    }
  })

  it('ends quietly when its reader stops reading, and fails when the answer can not be written', async () => {
    expect((await shell('| head -1')).stderr).toBe('')
    await expect(shell('> /dev/full')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The answer could not be written: .*ENOSPC.*\n$/)
    })
  })

  it('skips what did not change, replaces what did, and removes what vanished', async () => {
    expect(await oncallJson<Report>(['index', books, '--data', data])).toMatchObject({ unchanged: 4, indexed: 0 })

    await appendFile(join(books, 'redis-memory.txt'), '\n紧急时可执行 MEMORY PURGE 归还空闲页。\n')
    await rm(join(books, 'crash-looping.md'))
    expect(await oncallJson<Report>(['index', books, '--data', data])).toMatchObject({
      unchanged: 2,
      replaced: 1,
      removed: 1
    })

    expect((await retrieve('MEMORY PURGE')).results[0]!.content).toContain('MEMORY PURGE')
    const sources = (await retrieve('KubePodCrashLooping')).results.map(({ source }) => source)
    expect(sources.filter((source) => source.includes('crash-looping'))).toEqual([])
  })

  it('keeps knowledge bases apart', async () => {
    const other = join(folder.path, 'other')
    await cp(join(runbooks, 'crash-looping.md'), join(other, 'crash-looping.md'))
    await oncall(['index', other, '--kb', 'team-b', '--data', data])
    const inB = await retrieve('etcd 磁盘空间满了怎么办', '--kb', 'team-b')
    expect(inB.results.length).toBeGreaterThan(0)
    expect(inB.results.filter(({ source }) => !source.includes('crash-looping'))).toEqual([])
  })
})
