import type { ApiClient } from '@oncall-agent/api-contracts'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { addPerson, bootstrap, ended, file, keyOf, type Person, signIn } from './people.ts'
import { type Served, startServer } from './served.ts'

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
let ana: Person
let eve: Person
let api: ApiClient
let base: string
const documents = new Map<string, string>()

beforeAll(async () => {
  ;[stub, folder] = await Promise.all([startModelStub(), temporaryFolder()])
  server = await startServer(folder.path, { ...stub.environment, KB_RETRIEVAL__EMBED_DEADLINE_MS: '1000' })
  ana = await bootstrap(server.address)
  eve = await addPerson(server.address, ana, 'eve')
  api = await keyOf(server.address, ana, 'retrieve', 'ingest')
  base = (await api.createKnowledgeBase({ body: { name: 'plant' } })).id
  await upload('pump.md', '# Feed pump\n\nE_PUMP_17: check the fuse, then free the float switch.', {
    knowledgeType: 'setup',
    project: 'plant-7',
    errorCodes: 'E_PUMP_17'
  })
  await upload('valve.md', '# Valve\n\nOpen the bleed screw of the valve.', { knowledgeType: 'setup' })
  await Promise.all(
    Array.from({ length: 9 }, (_, at) =>
      upload(`fan-${at}.md`, `# Fan ${at}\n\nThe fan of line ${at} stopped.`, { project: `line-${at % 3}` })
    )
  )
})
afterAll(async () => {
  await server.stop()
  await Promise.all([stub.close(), folder.remove()])
})

async function upload(name: string, content: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  const { document, task } = await api.uploadDocuments({
    params: { id: base },
    form: { index: true, ...fields },
    files: [file(name, content)]
  })
  documents.set(name, document.id)
  expect(await ended(api, task!.id)).toMatchObject({ status: 'succeeded' })
}

async function titles(body: Parameters<ApiClient['search']>[0]['body']): Promise<readonly [string, ...string[]]> {
  const { status, hits } = await api.search({ body })
  return [status, ...hits.map(({ title }) => title)]
}

async function counted(name: string): Promise<number> {
  const text = await (await fetch(`${server.address}/metrics`, { headers: { cookie: ana.cookie } })).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1]
  )
}

function warned(): number {
  return server.log().match(/"level":"warn"[^\n]*the embedder is down/g)?.length ?? 0
}

describe('documents that were uploaded', () => {
  it('are found as strictly as they match, by fields, words and meaning', async () => {
    expect(await titles({ keywords: ['fuse', 'e_pump_17'], project: 'plant-7' })).toEqual(['strict_hit', 'Feed pump'])
    expect(await titles({ error_codes: ['E_PUMP_17', 'E_OTHER'] })).toEqual(['strict_hit', 'Feed pump'])
    expect(await titles({ keywords: ['fan'], project: 'line-1' })).toHaveLength(4)
    expect(await titles({ keywords: ['fan'] })).toEqual(['too_many'])
    expect((await titles({ keywords: ['bleed', 'fuse'] })).toSorted()).toEqual(['Feed pump', 'Valve', 'loose_hit'])
    expect(
      await titles({ keywords: ['airlock'], query_text: 'Valve: open the bleed screw of the valve', size: 1 })
    ).toEqual(['vector_only', 'Valve'])
    expect(await titles({ keywords: ['airlock'] })).toEqual(['no_hit'])
  })

  it('without a type are of the default one, and found by their own place in their text', async () => {
    const { total, facets } = await api.search({ body: { knowledge_type: 'experience' } })
    expect([total, facets?.project.map(({ count }) => count)]).toEqual([9, [3, 3, 3]])
    const { hits } = await api.search({ body: { keywords: ['float switch'] } })
    const { text } = await api.documentText({ params: { id: documents.get('pump.md')! } })
    expect(text.slice(hits[0]!.excerpt_start, hits[0]!.excerpt_end)).toBe(hits[0]!.excerpt)
    expect(hits[0]!.excerpt).toContain('float switch')
  })

  it('are in no hit, no total and no facet from the moment that they are deleted', async () => {
    await upload('gone.md', '# Gone\n\nThe fan E_GONE leaves.', { project: 'leaving', errorCodes: 'E_GONE' })
    expect(await titles({ keywords: ['E_GONE'] })).toEqual(['strict_hit', 'Gone'])
    await api.deleteDocument({ params: { id: documents.get('gone.md')! } })
    expect(await titles({ keywords: ['E_GONE'] })).toEqual(['no_hit'])
    const { total, facets } = await api.search({ body: { keywords: ['fan'] } })
    expect([total, facets?.error_codes, facets?.project.map(({ value }) => value)]).toEqual([
      9,
      [],
      ['line-0', 'line-1', 'line-2']
    ])
  })
})

describe("somebody else's", () => {
  it('documents, knowledge bases and searches are not to be had, until a base is shared', async () => {
    const body = { keywords: ['fuse'] }
    expect(await eve.api.search({ body })).toMatchObject({ status: 'no_hit', total: 0 })
    const named = { body: { ...body, knowledge_base_ids: [base] } }
    await expect(eve.api.search(named)).rejects.toMatchObject({ status: 403, code: 'AUTH_FORBIDDEN' })
    const { search_id: search } = await api.search({ body })
    const verdict = { search_id: search!, document_id: documents.get('pump.md')!, verdict: 'up' as const }
    await expect(eve.api.giveSearchFeedback({ body: verdict })).rejects.toMatchObject({ status: 404 })
    await ana.api.addReader({ params: { id: base, userId: 'eve' } })
    expect(await eve.api.search(named)).toMatchObject({ status: 'strict_hit', total: 1 })
    await expect(eve.api.giveSearchFeedback({ body: verdict })).rejects.toMatchObject({ status: 404 })
    await ana.api.removeReader({ params: { id: base, userId: eve.id } })
    await expect(eve.api.search(named)).rejects.toMatchObject({ status: 403 })
  })
})

describe('an embedder that is down', () => {
  it.each([{ status: 500 }, { waitMs: 30_000 }])(
    '(%j) changes the order and nothing else, is logged and counted once',
    async (fault) => {
      const before = await counted('upstream_errors_total{upstream="embedder"}')
      const warnings = warned()
      stub.misbehave({ ...fault, holding: 'bleed' })
      try {
        const answer = await api.search({ body: { keywords: ['bleed', 'fuse'], query_text: 'bleed and fuse' } })
        expect(answer).toMatchObject({ status: 'loose_hit', total: 2 })
        expect(answer.stages.map(({ name, status, reason }) => [name, status, reason])).toEqual([
          ['embed', 'failed', undefined],
          ['strict', 'empty', 'embedder_down'],
          ['loose', 'ok', 'embedder_down']
        ])
      } finally {
        stub.misbehave(undefined)
      }
      expect(await counted('upstream_errors_total{upstream="embedder"}')).toBe(before + 1)
      expect(warned()).toBe(warnings + 1)
    }
  )
})

describe('feedback', () => {
  it('is told to its person, to administrators of everybody, and is there after a restart', async () => {
    const { search_id: search } = await api.search({ body: { keywords: ['fuse'] } })
    const body = {
      search_id: search!,
      document_id: documents.get('pump.md')!,
      verdict: 'down' as const,
      note: '不是它'
    }
    expect(await api.giveSearchFeedback({ body })).toMatchObject({ verdict: 'down', note: '不是它' })
    expect(await api.giveSearchFeedback({ body: { ...body, verdict: 'up' } })).toMatchObject({ verdict: 'up' })
    expect(await eve.api.searchFeedbackSummary()).toMatchObject({ judged_searches: 0, documents: [] })
    const told = { judged_searches: 1, up: 1, down: 0, documents: [{ title: 'Feed pump', up: 1, down: 0 }] }
    expect(await ana.api.searchFeedbackSummary()).toMatchObject(told)
    const [own, everybodys] = await Promise.all([api, ana.api].map((each) => each.searchFeedbackSummary()))
    expect(everybodys!.searches).toBe(own!.searches + (await eve.api.searchFeedbackSummary()).searches)
    expect(everybodys!.searches).toBeGreaterThan(own!.searches)
    await server.stop()
    server = await startServer(folder.path, { ...stub.environment, KB_RETRIEVAL__EMBED_DEADLINE_MS: '1000' })
    ana = await signIn(server.address, 'ana')
    api = await keyOf(server.address, ana, 'retrieve', 'ingest')
    expect(await api.searchFeedbackSummary()).toMatchObject(told)
  })
})

describe('a search engine that is down', () => {
  it('is 503 and never an empty answer, is counted, and leaves retrieval as it is', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as { readonly port: number }
    closed.close()
    await server.stop()
    server = await startServer(folder.path, {
      ...stub.environment,
      KB_SEARCH__ENGINE: 'opensearch',
      KB_SEARCH__URL: `http://127.0.0.1:${port}`,
      KB_SEARCH__RETRIES: '0'
    })
    ana = await signIn(server.address, 'ana')
    const failing = ana.api.search({ body: { keywords: ['fuse'] } })
    await expect(failing).rejects.toMatchObject({
      status: 503,
      code: 'SYSTEM_UNAVAILABLE',
      message: 'Structured search is temporarily unavailable.'
    })
    await expect(ana.api.search({ body: { size: 0 } })).rejects.toMatchObject({ status: 400 })
    expect(await counted('upstream_errors_total{upstream="search-engine"}')).toBe(1)
    const ready = await fetch(`${server.address}/ready`)
    const { parts } = (await ready.json()) as { readonly parts: readonly { name: string; ok: boolean }[] }
    expect(ready.status).toBe(503)
    expect(parts.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['search'])
    expect((await ana.api.retrieve({ body: { query: 'fuse' } })).results.length).toBeGreaterThan(0)
  })
})
