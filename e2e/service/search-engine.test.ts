import type { ApiClient } from '@oncall-agent/api-contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingTool } from '../../scripts/services/opensearch/required-tools.ts'
import { type RunningOpenSearch, startOpenSearch } from '../../scripts/services/opensearch/start-opensearch.ts'
import { oncall, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { bootstrap, ended, file, keyOf } from './people.ts'
import { type Served, startServer } from './served.ts'

const missing = await missingTool()
const note = missing === undefined ? '' : ` (skipped: OpenSearch ${missing})`

describe.skipIf(missing !== undefined && process.env.CI !== 'true')(`structured search in OpenSearch${note}`, () => {
  let engine: RunningOpenSearch
  let stub: ModelStub
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let environment: Record<string, string>
  let server: Served
  let api: ApiClient
  let base: string

  beforeAll(async () => {
    ;[engine, stub, folder] = await Promise.all([startOpenSearch({ nodes: 1 }), startModelStub(), temporaryFolder()])
    environment = {
      ...stub.environment,
      KB_SEARCH__ENGINE: 'opensearch',
      KB_SEARCH__URL: engine.url,
      KB_SEARCH__RETRIES: '0',
      KB_SEARCH__REPLICAS: '0'
    }
    server = await startServer(folder.path, environment)
    api = await keyOf(server.address, await bootstrap(server.address), 'retrieve', 'ingest')
    base = (await api.createKnowledgeBase({ body: { name: 'plant' } })).id
  })
  afterAll(async () => {
    await server?.stop()
    await Promise.all([engine?.stop(), stub?.close(), folder?.remove()])
  })

  async function upload(name: string, content: string): Promise<string> {
    const { document, task } = await api.uploadDocuments({
      params: { id: base },
      form: { index: true, knowledgeType: 'setup', project: 'plant-7' },
      files: [file(name, content)]
    })
    expect(await ended(api, task!.id)).toMatchObject({ status: 'succeeded' })
    return document.id
  }
  const search = (...keywords: string[]) => api.search({ body: { keywords } })
  const partOfReady = async () => {
    const { parts } = (await (await fetch(`${server.address}/ready`)).json()) as {
      readonly parts: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[]
    }
    return parts.find(({ name }) => name === 'search')
  }

  it('is 503 until the engine was filled for the first time, and answers then', async () => {
    await expect(search('fuse')).rejects.toMatchObject({ status: 503, code: 'SYSTEM_UNAVAILABLE' })
    expect(await partOfReady()).toMatchObject({ ok: false, message: 'The search engine is unavailable.' })
    const filled = await oncall(['reindex', '--search-only', '--data', folder.path, '--json'], environment)
    expect([filled.exit, filled.stderr]).toEqual([0, ''])
    expect(await search('fuse')).toMatchObject({ status: 'no_hit', total: 0 })
    expect(await partOfReady()).toMatchObject({ ok: true, message: 'opensearch answers' })
  })

  it('finds what a task has indexed, by words, fields and meaning, and no more of it once it is deleted', async () => {
    const pump = await upload('pump.md', '# Feed pump\n\nCheck the fuse of the pump, then the float switch.')
    await upload('泵.md', '# 给水泵\n\n先检查保险丝，再检查浮子开关。')
    expect(await search('fuse', 'pump')).toMatchObject({ status: 'strict_hit', total: 1 })
    const chinese = await search('保险丝', '浮子')
    expect(chinese.hits).toMatchObject([{ title: '给水泵', project: 'plant-7', knowledge_type: 'setup' }])
    expect(chinese.hits[0]!.vector_part).toBeGreaterThan(0)
    const meant = { keywords: ['airlock'], query_text: 'Feed pump: check the fuse of the pump', size: 1 }
    expect(await api.search({ body: meant })).toMatchObject({ status: 'vector_only', hits: [{ document_id: pump }] })
    await api.deleteDocument({ params: { id: pump } })
    expect(await search('fuse', 'pump')).toMatchObject({ status: 'no_hit', total: 0 })
  })

  it('is 503 when the engine goes away, while documents are still retrieved and can be deleted', async () => {
    await engine.stop()
    await expect(search('保险丝')).rejects.toMatchObject({ status: 503 })
    expect((await api.retrieve({ body: { query: '保险丝' } })).results).toHaveLength(1)
    const { items } = await api.documents({ params: { id: base } })
    await api.deleteDocument({ params: { id: items[0]!.id } })
    expect((await api.retrieve({ body: { query: '保险丝' } })).results).toEqual([])
  })
})
