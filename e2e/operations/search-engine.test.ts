import type { ApiClient, SearchResponse } from '@oncall-agent/api-contracts'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingTool } from '../../scripts/services/opensearch/required-tools.ts'
import { type RunningOpenSearch, startOpenSearch } from '../../scripts/services/opensearch/start-opensearch.ts'
import { type Finished, oncall, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from '../service/model-stub.ts'
import { bootstrap, ended, file, keyOf } from '../service/people.ts'
import { launch, startServer } from '../service/served.ts'

const PAGES = 6
const UPLOADS = 24
const KILLS = 8

const missing = await missingTool()
const note = missing === undefined ? '' : ` (skipped: OpenSearch ${missing})`

interface Report {
  readonly healthy: boolean
  readonly checks: readonly { readonly name: string; readonly found: string; readonly hint: string }[]
  readonly differences: readonly { readonly kind: string; readonly fileName: string; readonly repair: string }[]
}

describe.skipIf(missing !== undefined && process.env.CI !== 'true')(`a search engine beside the index${note}`, () => {
  let engine: RunningOpenSearch
  let stub: ModelStub
  let other: ModelStub
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let data: string
  let books: string
  let environment: Record<string, string>

  beforeAll(async () => {
    ;[engine, stub, other, folder] = await Promise.all([
      startOpenSearch({ nodes: 1 }),
      startModelStub(),
      startModelStub({ dimension: 32, model: 'other' }),
      temporaryFolder()
    ])
    data = join(folder.path, 'data')
    books = join(folder.path, 'books')
    environment = {
      ...stub.environment,
      KB_SEARCH__ENGINE: 'opensearch',
      KB_SEARCH__URL: engine.url,
      KB_SEARCH__REPLICAS: '0',
      KB_JOBS__LEASE_MS: '1000',
      KB_JOBS__MAX_ATTEMPTS: '100'
    }
    await mkdir(books)
    for (let at = 0; at < PAGES; at++)
      await writeFile(join(books, `p${at}.md`), `# 手册 ${at}\n\n水泵 ${at} 的保险丝。\n`)
  })
  afterAll(async () => {
    await Promise.all([engine?.stop(), stub?.close(), other?.close(), folder?.remove()])
  })

  const command = (...args: readonly string[]): Promise<Finished> => oncall([...args, '--data', data], environment)

  async function found(...args: readonly string[]): Promise<readonly string[]> {
    const { exit, stdout, stderr } = await command('search', '--json', '--mode', 'loose', '--size', '100', ...args)
    if (exit !== 0) throw new Error(stdout + stderr)
    return (JSON.parse(stdout) as SearchResponse).hits.map(({ title }) => title).toSorted()
  }

  async function doctor(...options: readonly string[]): Promise<Report> {
    return JSON.parse((await command('doctor', '--json', ...options)).stdout) as Report
  }

  /** Deletes all of an index past everything of ours. */
  async function loseAll(index: string): Promise<void> {
    const listed = await fetch(`${engine.url}${index}/_search?size=1000`)
    const { hits } = (await listed.json()) as { hits: { hits: { _id: string; _index: string; _routing?: string }[] } }
    for (const { _id: id, _index: of, _routing: routing } of hits.hits) {
      const query = routing === undefined ? '' : `&routing=${encodeURIComponent(routing)}`
      const url = `${engine.url}/${of}/_doc/${encodeURIComponent(id)}?refresh=true${query}`
      const { status } = await fetch(url, { method: 'DELETE' })
      if (status !== 200) throw new Error(`the engine answers ${status}`)
    }
  }

  it('that was never filled is told by whoever meets it, with the command that fills it', async () => {
    const indexed = await command('index', books)
    expect([indexed.exit, indexed.stderr]).toEqual([1, expect.stringContaining('oncall reindex --search-only')])
    expect((await command('retrieve', '保险丝')).exit).toBe(0)
    const { healthy, checks } = await doctor()
    const check = checks.find(({ name }) => name === 'index and search engine')
    expect([healthy, check!.found]).toEqual([false, expect.stringContaining('oncall reindex --search-only')])

    const filled = await command('reindex', '--search-only')
    expect([filled.exit, filled.stderr]).toEqual([
      0,
      expect.stringMatching(/^Filled opensearch with 6 documents in [\d.]+ s\.\n$/)
    ])
    expect(await found('保险丝')).toHaveLength(PAGES)
    expect((await doctor()).healthy).toBe(true)
  })

  it('follows the folder: new, changed and removed files', async () => {
    await writeFile(join(books, 'p0.md'), '# 手册 0\n\n阀门的垫片。\n')
    await writeFile(join(books, 'new.md'), '# 新手册\n\n保险丝的规格。\n')
    await rm(join(books, 'p1.md'))
    expect((await command('index', books)).exit).toBe(0)
    expect(await found('保险丝')).toEqual(['手册 2', '手册 3', '手册 4', '手册 5', '新手册'])
    expect(await found('垫片')).toEqual(['手册 0'])
    expect((await command('forget', join(books, 'new.md'))).exit).toBe(0)
    expect(await found('规格')).toEqual([])
  })

  it('that lost its documents is named by doctor, and mended', async () => {
    await loseAll('/kb_experience_v1')
    const { healthy, differences } = await doctor()
    expect(healthy).toBe(false)
    expect(differences).toHaveLength(PAGES - 1)
    for (const { kind, repair } of differences) expect([kind, repair]).toEqual(['search-engine', 'copy-again'])
    expect(await found('保险丝')).toEqual([])
    const repaired = await command('doctor', '--repair')
    expect([repaired.exit, repaired.stdout]).toEqual([0, expect.stringContaining('5 of 5 differences repaired')])
    expect((await doctor()).healthy).toBe(true)
    expect(await found('保险丝')).toHaveLength(4)
  })

  it(
    `holds what the index holds after a server was killed ${KILLS} times while it indexed`,
    { timeout: 240_000 },
    async () => {
      let server = await startServer(data, environment)
      const api: ApiClient = await keyOf(server.address, await bootstrap(server.address), 'retrieve', 'ingest')
      const { id } = await api.createKnowledgeBase({ body: { name: 'plant' } })
      const port = new URL(server.address).port
      stub.misbehave({ waitMs: 30 })
      const tasks: string[] = []
      for (let at = 0; at < UPLOADS; at++) {
        const files = [file(`u${at}.md`, `# 上传 ${at}\n\n风机 ${at} 的轴承。\n`)]
        const { task } = await api.uploadDocuments({ params: { id }, form: { index: true }, files })
        tasks.push(task!.id)
      }
      for (let kill = 0; kill < KILLS; kill++) {
        await delay(Math.random() * 700)
        await server.kill()
        const { ready, ...next } = launch(['serve', '--data', data, '--json'], {
          ...environment,
          KB_SERVER__PORT: port
        })
        await ready
        server = { ...next, address: server.address }
      }
      stub.misbehave(undefined)
      for (const task of tasks) expect(await ended(api, task)).toMatchObject({ status: 'succeeded' })
      const { total } = await api.search({ body: { keywords: ['轴承'], mode: 'loose' } })
      expect(total).toBe(UPLOADS)
      expect(await server.stop(), server.log()).toBe(0)
      expect(await doctor()).toMatchObject({ healthy: true, differences: [] })
    }
  )

  it('is filled from the new index when that is made anew with another model', async () => {
    environment = { ...environment, ...other.environment }
    const mismatch = await command('search', '保险丝')
    expect([mismatch.exit, mismatch.stderr]).toEqual([1, expect.stringContaining('oncall reindex')])
    const rebuilt = await command('reindex', '--json')
    expect(rebuilt.exit, rebuilt.stderr).toBe(0)
    const documents = PAGES - 1 + UPLOADS
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({
      documents,
      searchEngine: { engine: 'opensearch', documents, mended: 0 }
    })
    expect(await found('保险丝')).toHaveLength(4)
    expect((await doctor()).healthy).toBe(true)
  })
})
