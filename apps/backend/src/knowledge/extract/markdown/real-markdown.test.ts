import { readdirSync } from 'node:fs'
import type { ChunkSlice } from '@oncall-agent/retrieval'
import { describe, expect, it } from 'vitest'
import { needsShared, readShared, sharedIsAbsent, sharedPath } from '../../test-material/shared-files.ts'
import { defaultKnowledgeSettings } from '../../settings.ts'
import { estimateTokens } from '../child/count-tokens.ts'
import type { PreparedDocument } from '../extracted-document.ts'
import { prepareDocument } from '../prepare-document.ts'
import { sniffFormat } from '../sniff.ts'

function prepare(file: string, bytes = readShared(`files/markdown/${file}`)): Promise<PreparedDocument> {
  const { chunking, documents } = defaultKnowledgeSettings
  const format = sniffFormat(file, bytes)
  return prepareDocument({ name: file, format, bytes, chunking, maxTokens: 512, ...documents }, estimateTokens)
}

const holding = ({ chunks }: PreparedDocument, words: string): ChunkSlice[] =>
  chunks.filter((chunk) => chunk.content.includes(words))
const outsideCode = (text: string): string => text.replace(/(`{3,})[\s\S]*?\n\s*\1/g, '').replace(/`[^`\n]*`/g, '')

describe.skipIf(sharedIsAbsent)(`real Markdown files${needsShared}`, () => {
  const files = sharedIsAbsent ? [] : readdirSync(sharedPath('files/markdown')).filter((file) => /\.mdx?$/.test(file))

  it.each(files)('%s is indexed without tags, comments, import lines and invisible characters', async (file) => {
    const { text, chunks } = await prepare(file)
    expect(chunks.length).toBeGreaterThan(0)
    const prose = outsideCode(text)
    expect(prose).not.toMatch(/<\/?(?:div|td|tr|table|details|summary|br|a|img|Tabs|TabItem|VersionAdd|iframe)[\s>/]/)
    expect(prose).not.toMatch(/<!--|^import .* from |^:::|\{\{</m)
    expect(text).not.toMatch(/[\u200B\uFEFF\uFFFD\r]/)
    expect(text).not.toMatch(/^---\ntitle:/)
  })

  it('MDX tags do not become words, and headings stay', async () => {
    const { text, chunks } = await prepare('juicefs_common_options.mdx')
    expect(text).not.toContain('VersionAdd')
    expect(chunks.some((chunk) => chunk.headingPath.includes('元数据相关参数'))).toBe(true)
  })

  it('a # inside code is no heading, and an admonition keeps its words', async () => {
    const document = await prepare('juicefs_sync_zh.md')
    expect(document.chunks.flatMap((chunk) => chunk.headingPath).join('\n')).not.toContain('从 OSS 同步到 S3')
    expect(holding(document, '混用社区版和企业版客户端')).not.toHaveLength(0)
  })

  it('each of a hundred error codes in a list is found, with few others beside it', async () => {
    const document = await prepare('tidb_error_codes_zh.md')
    const codes = [...document.text.matchAll(/Error Number: (\d+)/g)].map((match) => match[1]!)
    expect(codes.length).toBeGreaterThan(100)
    for (const code of codes) expect(holding(document, `Error Number: ${code}`)).not.toHaveLength(0)
    for (const { content } of document.chunks) expect(content.match(/Error Number/g)?.length ?? 0).toBeLessThan(20)
  })

  it('a table row is never cut in its middle, and HTML in a header is gone', async () => {
    const document = await prepare('tidb_dm_error_zh.md')
    const lines = document.chunks.flatMap((chunk) => chunk.content.split('\n'))
    const rows = lines.filter((line) => line.trimStart().startsWith('|'))
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter((row) => !row.trimEnd().endsWith('|'))).toEqual([])
    expect(document.text).toContain('| 错误类别 | 错误对应的系统子模块 | 错误样例 |')
  })

  it('an alert is found under its name in the heading path', async () => {
    const { chunks } = await prepare('tidb_alert_rules_zh.md')
    const chunk = chunks.find(({ content }) => content.includes('increase(tidb_server_panic_total[10m]) > 0'))
    expect(chunk?.headingPath).toEqual([
      'TiDB 集群报警规则',
      'TiDB 报警规则',
      '严重级别报警项',
      'TiDB_server_panic_total'
    ])
  })

  it('one of seventy alerts in one file is one chunk of its own', async () => {
    const { chunks } = await prepare('cortex_playbooks.md')
    for (const { headingPath } of chunks)
      expect(headingPath.filter((heading) => /^Cortex[A-Z]\w+$/.test(heading)).length).toBeLessThan(2)
    expect(
      new Set(chunks.flatMap((chunk) => chunk.headingPath).filter((heading) => /^Cortex[A-Z]\w+$/.test(heading))).size
    ).toBeGreaterThan(30)
  })

  it('a page of 390 kB is read within the time limit, one variable a chunk', async () => {
    const started = performance.now()
    const { chunks } = await prepare('tidb_system_variables_zh.md')
    expect(performance.now() - started).toBeLessThan(defaultKnowledgeSettings.extraction.timeLimitMs)
    expect(
      chunks.filter((chunk) => chunk.headingPath.at(-1)?.startsWith('allow_auto_random_explicit_insert'))
    ).toHaveLength(1)
  })

  it('text inside details is indexed', async () => {
    const document = await prepare('po_KubeAPIErrorBudgetBurn.md')
    expect(holding(document, 'higher-than-expected percentage')).not.toHaveLength(0)
    expect(document.title).toBe('Kube API Error Budget Burn')
  })

  it('padding of tables is collapsed, and each code has one row', async () => {
    const document = await prepare('seatunnel_errors.md')
    expect(document.text).not.toMatch(/ {5}/)
    const found = holding(document, '| API-01 |')
    expect(found).toHaveLength(1)
    expect(found[0]!.content).toContain('| code | description | solution |')
  })

  it('CRLF gives the same chunks as LF', async () => {
    for (const file of ['crlf_0_br-checkpoint-restore.md', 'crlf_2_redis-csc.md']) {
      const bytes = readShared(`files/markdown/${file}`)
      const unix = Buffer.from(Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n'))
      expect(unix.length).toBeLessThan(bytes.length)
      expect((await prepare(file)).chunks).toEqual((await prepare(file, unix)).chunks)
    }
  })

  it('setext headings are headings, emoji in headings are kept', async () => {
    const setext = await prepare('setext_1_tikv-control.md')
    expect(setext.chunks.some((chunk) => chunk.headingPath.length > 1)).toBe(true)
    const emoji = await prepare('emoji_1_README.md')
    expect(holding(emoji, '🤖 AIOps 2.0')).not.toHaveLength(0)
  })

  it('an inner fence does not end the outer one', async () => {
    const { text } = await prepare('nested_fence_1_etcd_best_practices.md')
    expect(text.match(/^`{3,}/gm)!.length % 2).toBe(0)
    expect(text).toContain('--auto-compaction-mode revision')
  })

  it('cells of HTML tables are indexed in rows', async () => {
    const document = await prepare('html_1_tidb-lightning-requirements.md')
    expect(holding(document, '| 必需 | 逻辑导入模式 | information_schema.columns | SELECT |')).not.toHaveLength(0)
  })

  it('a search for the plain word finds it where an invisible character was', async () => {
    expect((await prepare('control_1_dm-block-allow-table-lists.md')).text).toContain('\n      tbl-name: "messages"')
    expect((await prepare('control_3_table-filter.md')).text).toContain('🤦🏿\u200D♀️')
  })

  it('a page without headings has the name of its file for a title', async () => {
    expect((await prepare('nohead_0_TOC-pingkai.md')).title).toBe('nohead_0_TOC-pingkai')
    expect((await prepare('empty_0_CLAUDE.md')).chunks).toHaveLength(1)
  })

  it('a long table is cut between rows, with its header repeated', async () => {
    const parts = (await prepare('table_0_tidb-terms.md')).chunks.filter((chunk) => chunk.content.startsWith('|'))
    expect(parts.length).toBeGreaterThan(10)
    const headers = new Set(parts.map((part) => part.content.split('\n').slice(0, 2).join('\n')))
    expect(headers.size).toBe(1)
    expect([...headers][0]).toMatch(/^\|.*\|\n\| --- /)
  })

  it('YAML is refused by name', () => {
    expect(() => sniffFormat('kube_rules.yaml', readShared('files/markdown/kube_rules.yaml'))).toThrow(
      'kube_rules.yaml: .yaml files are not supported'
    )
  })
})
