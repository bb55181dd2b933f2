import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SearchResponse, searchResponseSchema } from '@oncall-agent/api-contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oncall, temporaryFolder } from './oncall.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string

beforeAll(async () => {
  folder = await temporaryFolder()
  data = join(folder.path, 'data')
  const pages = {
    'gateway.md':
      '---\nknowledge_type: alarm\nproject: 结算\nequipment: F5\nerror_codes: [E_CONN_RESET]\n---\n# 网关 502\n\n上游断开连接后重启网关。',
    'disk.md': '---\nknowledge_type: setup\nproject: 账务\n---\n# 磁盘空间\n\n清理日志，然后扩容磁盘。',
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `many-${at}.md`,
        `---\nproject: p${at % 3}\n---\n# 巡检 ${at}\n\n例行巡检记录。`
      ])
    )
  }
  const books = join(folder.path, 'books')
  await mkdir(books)
  for (const [name, text] of Object.entries(pages)) await writeFile(join(books, name), text)
  const { exit, stderr } = await oncall(['index', books, '--data', data])
  if (exit !== 0) throw new Error(stderr)
})
afterAll(() => folder.remove())

const search = (...args: readonly string[]) => oncall(['search', '--data', data, ...args])

async function asJson(...args: readonly string[]): Promise<SearchResponse> {
  const { exit, stdout, stderr } = await search('--json', ...args)
  expect(exit, stderr).toBe(0)
  return searchResponseSchema.parse(JSON.parse(stdout))
}

const titles = ({ hits }: SearchResponse) => hits.map(({ title }) => title)

describe('oncall search', () => {
  it('finds by keywords and exact fields, and answers as the API does', async () => {
    const answer = await asJson('网关', '重启', '--error-code', 'E_OTHER', '--error-code', 'E_CONN_RESET')
    expect(answer).toMatchObject({ status: 'strict_hit', total: 1, search_id: expect.any(String) })
    expect(answer.hits[0]).toMatchObject({ knowledge_type: 'alarm', project: '结算', equipment: 'F5' })
    expect(titles(await asJson('--project', '账务', '--type', 'setup'))).toEqual(['磁盘空间'])
    expect(await asJson('网关', '--project', '账务')).toMatchObject({ status: 'no_hit', total: 0 })
  })

  it('goes from strict over loose to meaning, and says which it was', async () => {
    expect(await asJson('网关', '从未写过的词')).toMatchObject({
      status: 'loose_hit',
      banner: expect.stringMatching(/仅供参考。$/)
    })
    const meant = ['从未', '--text', '存储满了怎么清理', '--type', 'setup', '--language', 'en']
    expect(await asJson(...meant)).toMatchObject({
      status: 'vector_only',
      banner: expect.stringContaining('low confidence')
    })
    expect(await asJson('从未', '--mode', 'strict', '--text', '存储满了')).toMatchObject({ status: 'no_hit' })
  })

  it('tells a person what to narrow by when too many match, and pages through what does', async () => {
    const { stdout, exit } = await search('巡检')
    expect(exit).toBe(0)
    expect(stdout).toMatch(/^too_many: .*\(12 documents\)/)
    expect(stdout).toMatch(/--project {2}documents\np0 +4\np1 +4\np2 +4\n/)
    const page = await asJson('巡检', '--mode', 'loose', '--size', '5', '--from', '10')
    expect([page.total, page.hits.length]).toEqual([12, 2])
  })

  it('shows a person the documents with what their scores are made of', async () => {
    const { stdout } = await search('磁盘')
    expect(stdout).toMatch(
      /\[1\] 磁盘空间\n {4}score [\d.]+ = 0\.5 × words [\d.]+ \+ 0\.5 × meaning [\d.]+\n {4}setup · project 账务\n/
    )
    expect(stdout).toContain('words and meaning')
  })

  it('ends with 2 for wrong usage, and with 1 and a reason for what can not be answered', async () => {
    expect((await search('--size', '101')).exit).toBe(2)
    expect((await search('--mode', 'fuzzy')).exit).toBe(2)
    const type = await search('x', '--type', 'runbook')
    expect([type.exit, type.stderr]).toEqual([1, expect.stringContaining('must be one of alarm, setup, experience')])
    const base = await search('x', '--kb', 'nowhere')
    expect([base.exit, base.stderr]).toEqual([1, expect.stringContaining('nowhere')])
    const nothing = await oncall(['search', 'x', '--data', join(folder.path, 'empty')])
    expect([nothing.exit, nothing.stderr]).toEqual([1, expect.stringContaining('Nothing is indexed')])
  })
})
