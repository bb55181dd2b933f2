import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SearchResponse } from '@oncall-agent/api-contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oncall, oncallJson, temporaryFolder } from './oncall.ts'
import { startServer } from './service/served.ts'

/** What every page is about besides its own word: asked for together they match all, in the order of the words alone. */
const TOPICS = ['网关', '磁盘', '证书', '备份', '缓存', '队列', '域名', '时钟', '索引', '会话', '镜像', '配额']

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string

beforeAll(async () => {
  folder = await temporaryFolder()
  data = join(folder.path, 'data')
  const books = join(folder.path, 'books')
  await mkdir(books)
  for (const [at, topic] of TOPICS.entries()) {
    // Its title says the topic once; another page repeats the word in its text.
    await writeFile(join(books, `${at}-titled.md`), `# ${topic}处置\n\n先看监控，再按步骤处理。\n`)
    await writeFile(join(books, `${at}-noisy.md`), `# 第 ${at} 周值班记录\n\n${`${topic}，`.repeat(12)}无异常。\n`)
  }
  const { exit, stderr } = await oncall(['index', books, '--data', data])
  if (exit !== 0) throw new Error(stderr)
})
afterAll(() => folder.remove())

async function post<Answer>(address: string, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${address}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

const tune = (...args: readonly string[]) => oncall(['tune', '--data', data, ...args])

describe('oncall tune', () => {
  it('has nothing to say before anything was judged, and fails when it is to write all the same', async () => {
    const told = await tune()
    expect(told.exit).toBe(0)
    expect(told.stdout).toMatch(/^Judged searches: 0, /)
    expect(told.stdout).toContain('Too few to mean anything')
    const applied = await tune('--apply')
    expect([applied.exit, applied.stdout]).toEqual([1, expect.stringContaining('Nothing was written.')])
  })

  it('suggests what people who judged over HTTP want, and writes it where the next server reads it', async () => {
    // Words in a title count nothing there, so that what people want is shown last.
    const badly = { KB_SEARCH__TITLE_BOOST: '0', KB_SEARCH__VECTOR_WEIGHT: '0' }
    const server = await startServer(data, badly)
    for (const topic of TOPICS) {
      for (const more of ['', '监控', '步骤']) {
        const request = { keywords: [topic, ...(more === '' ? [] : [more])], mode: 'loose', size: 100 }
        const answer = await post<SearchResponse>(server.address, 'search', request)
        const wanted = answer.hits.find(({ title }) => title === `${topic}处置`)!
        const feedback = { search_id: answer.search_id, document_id: wanted.document_id, verdict: 'up' }
        await post(server.address, 'search/feedback', feedback)
      }
    }
    expect(await server.stop()).toBe(0)

    const now = await oncall(['tune', '--data', data, '--apply'], badly)
    expect(now.exit, now.stderr).toBe(0)
    expect(now.stdout).toMatch(/^Judged searches: 36, of which 36 can be replayed\.\n/)
    expect(now.stdout).toMatch(/suggested +\d+ +[\d.]+ +\d+ +1\.0000 +1\.0000\n/)
    expect(now.stdout).toContain(`Written to ${join(data, 'settings.yaml')}`)
    expect(now.stdout).toContain('KB_SEARCH__TITLE_BOOST is set in the environment, and wins over it.')

    const settings = await oncallJson<readonly { readonly key: string; readonly value: number }[]>([
      'config',
      'print',
      '--data',
      data
    ])
    expect(settings.find(({ key }) => key === 'search.titleBoost')!.value).toBeGreaterThan(0)
    const { hits } = await oncallJson<SearchResponse>(['search', '证书', '--mode', 'loose', '--data', data])
    expect(hits[0]!.title).toBe('证书处置')
  })
})
