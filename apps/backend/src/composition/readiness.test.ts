import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KnowledgeIndex, ModelState } from '@oncall-agent/retrieval'
import { MemoryStructuredIndex } from '@oncall-agent/retrieval/conformance'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { createLogger } from '../observability/index.ts'
import { type BusinessStore, openBusinessStore } from '../store/index.ts'
import { openOnce } from './open-once.ts'
import type { Parts } from './parts.ts'
import { readiness } from './readiness.ts'

const HOUR_MS = 3_600_000
const SECRET = 'planted /secret/path'

let folder: string
let store: BusinessStore
let log: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oncall-ready-'))
  store = openBusinessStore(folder)
  log = []
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const size = async () => ({ documents: 1, chunks: 7, bytesOnDisk: 1, revision: 1 })

function parts(more: { readonly [P in keyof Parts]?: unknown } = {}): Parts {
  const whole = {
    version: '1',
    settings: loadSettings({ env: {} }),
    logger: createLogger({ level: 'info', destination: { write: (line: string) => void log.push(line) } }),
    dataDirectory: folder,
    embedder: { state: 'cold' as ModelState },
    reranker: { state: 'warm' as ModelState },
    store: openOnce(async () => store),
    index: openOnce(async () => ({ size }) as Partial<KnowledgeIndex> as KnowledgeIndex),
    ...more
  }
  return whole as unknown as Parts
}

const fails = () => Promise.reject(new Error(SECRET))

async function partOfJobs() {
  return (await readiness(parts())).find(({ name }) => name === 'jobs')
}

async function partOfChat(state: ModelState) {
  return (await readiness(parts(), () => state)).find(({ name }) => name === 'chat model')
}

describe('readiness', () => {
  test('tells every part, with its time; a model that is not loaded yet is ready', async () => {
    const found = await readiness(parts())
    expect(found.map(({ name, ok }) => [name, ok])).toEqual(
      ['business store', 'knowledge index', 'embedder', 'reranker', 'jobs', 'disk space'].map((name) => [name, true])
    )
    for (const { latencyMs } of found) expect(latencyMs).toBeGreaterThanOrEqual(0)
    expect(found.map(({ message }) => message)).toContain('chunks: 7')
  })

  test('tells of the chat model how its last call went, where there is one', async () => {
    expect(await partOfChat('cold')).toMatchObject({ ok: true, message: 'cold' })
    expect(await partOfChat('failed')).toMatchObject({ ok: false, message: 'The chat model is unavailable.' })
  })

  test.each([
    ['business store', 'The business store is unavailable.', { store: openOnce(fails) }],
    ['knowledge index', 'The knowledge index is unavailable.', { index: openOnce(fails) }],
    ['knowledge index', 'The knowledge index is unavailable.', { index: openOnce(() => new Promise(() => {})) }],
    ['embedder', 'The embedding model is unavailable.', { embedder: { state: 'failed' } }],
    ['reranker', 'The reranker is unavailable.', { reranker: { state: 'closed' } }],
    ['disk space', 'The disk of the data folder is nearly full.', { dataDirectory: '/nowhere/planted' }]
  ])('of a broken %s says only: %s', async (name, message, broken) => {
    const found = await readiness(parts(broken))
    expect(found.find((part) => part.name === name)).toMatchObject({ ok: false, message })
    expect(JSON.stringify(found)).not.toContain('planted')
    // Whoever reads the log is told why.
    expect(log.some((line) => line.includes(`"part":"${name}"`))).toBe(true)
  })

  test('has a part for a search engine elsewhere, and none where search looks in the index', async () => {
    const engine = new MemoryStructuredIndex({ dimension: 4, knowledgeTypes: ['alarm'] })
    const searchEngine = openOnce(async () => engine)
    const part = async () => (await readiness(parts({ searchEngine }))).find(({ name }) => name === 'search')
    expect(await part()).toMatchObject({ ok: true, message: 'memory answers' })
    await engine.close()
    expect(await part()).toMatchObject({ ok: false, message: 'The search engine is unavailable.' })
    expect((await readiness(parts())).map(({ name }) => name)).not.toContain('search')
  })

  test('of jobs that nobody takes up says so, and not of such as wait behind others', async () => {
    const job = { kind: 'index-document', tenantId: 't', maxAttempts: 1, now: Date.now() - HOUR_MS }
    await store.jobs.enqueue({ ...job, subject: 'one' })
    expect(await partOfJobs()).toMatchObject({ ok: false, message: 'No worker takes up the jobs that are due.' })
    await store.jobs.enqueue({ ...job, subject: 'two' })
    await store.transaction((tables) =>
      tables.jobs.claim({ kinds: ['index-document'], now: Date.now(), leaseMs: HOUR_MS })
    )
    expect(await partOfJobs()).toMatchObject({ ok: true, message: 'waiting: 1, running: 1' })
  })
})
