import type { ApiClient, RetrievalResponse } from '@oncall-agent/api-contracts'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oncall, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { all, bootstrap, ended, file, keyOf } from './people.ts'
import { type Served, startServer } from './served.ts'

/** 1,000 make about 10,000 chunks and take minutes; then the ratio of the latencies is judged too. */
const DOCUMENTS = Number(process.env.ONCALL_LOAD_DOCUMENTS ?? 150)
const IS_FULL = DOCUMENTS >= 1_000
const CLIENTS = 8
const READERS = 4
const SECTIONS = 10
/** Each so many-th document gets a second version while the others are still uploaded. */
const REPLACED_EVERY = 5
/** Milliseconds between two questions of a reader. */
const PAUSE_MS = 20
const IDLE_QUESTIONS = Math.max(100, DOCUMENTS)

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
let api: ApiClient
let base: string

beforeAll(async () => {
  ;[stub, folder] = await Promise.all([startModelStub(), temporaryFolder()])
  server = await startServer(folder.path, stub.environment)
  const ana = await bootstrap(server.address)
  api = await keyOf(server.address, ana, 'retrieve', 'ingest')
  base = (await api.createKnowledgeBase({ body: { name: 'load' } })).id
})
afterAll(async () => {
  await server.stop()
  await Promise.all([stub.close(), folder.remove()])
})

/** Every chunk says which document it is of, and which version. */
function contentOf(document: number, version: number): string {
  const sections = Array.from(
    { length: SECTIONS },
    (_, at) =>
      `## 步骤 ${at}\n\nDOC_${document} v${version} 第 ${at} 步：检查网关的 E_CONN_RESET，重启副本 ${at * 7}，再看监控。`
  )
  return `# DOC_${document}\n\n${sections.join('\n\n')}\n`
}

interface Stored {
  readonly id: string
  readonly number: number
  version: number
}

describe(`${DOCUMENTS} documents from ${CLIENTS} clients while ${READERS} readers ask`, () => {
  it('are all indexed, once, with no error and no answer of two versions', { timeout: 1_800_000 }, async () => {
    const stored: Stored[] = []
    const readers = startReaders(stored)
    const began = performance.now()
    await uploadAll(stored)
    const tasks = await untilEnded()
    const indexedMs = performance.now() - began
    const busy = await readers.stop()

    const documents = await all((query) => api.documents({ params: { id: base }, query }))
    expect([documents.length, stored.length]).toEqual([DOCUMENTS, DOCUMENTS])
    expect(tasks.filter(({ status }) => status !== 'succeeded')).toEqual([])
    const versions = new Map(stored.map(({ id, version }) => [id, version]))
    for (const { id, version, indexedVersion, chunkCount } of documents) {
      expect([version, indexedVersion, chunkCount]).toEqual([versions.get(id), versions.get(id), SECTIONS])
    }
    for (const document of stored.filter((_, at) => at % 10 === 0)) {
      const found = versionsIn(await ask(document))
      expect([...(found.get(document.id) ?? [])]).toEqual([document.version])
    }
    const idle = startReaders(stored)
    while (idle.asked() < IDLE_QUESTIONS) await delay(50)
    const ratio = report({ indexedMs, busy, idle: await idle.stop() })
    expect(IS_FULL ? ratio : 0).toBeLessThanOrEqual(2)

    expect(await server.stop(), server.log()).toBe(0)
    expect(server.log()).not.toMatch(/"level":"(error|fatal)"/)
    const doctor = await oncall(['doctor', '--data', folder.path, '--json'], stub.environment)
    expect([doctor.exit, doctor.stdout]).toEqual([0, expect.stringContaining('"agree"')])
  })
})

async function uploadAll(stored: Stored[]): Promise<void> {
  let next = 0
  const client = async (): Promise<void> => {
    while (next < DOCUMENTS) {
      const number = next++
      const { document, task } = await api.uploadDocuments({
        params: { id: base },
        form: { index: true },
        files: [file(`doc-${number}.md`, contentOf(number, 1))]
      })
      const one = { id: document.id, number, version: 1 }
      stored.push(one)
      if (number % REPLACED_EVERY === 0) await replace(one, task!.id)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/** While its first version is being indexed a document takes no second one. */
async function replace(document: Stored, taskId: string): Promise<void> {
  await ended(api, taskId, 1_200_000)
  await api.replaceDocument({
    params: { id: document.id },
    form: { index: true },
    files: [file(`doc-${document.number}.md`, contentOf(document.number, 2))]
  })
  document.version = 2
}

async function untilEnded() {
  while ((await api.knowledgeBase({ params: { id: base } })).documents.indexed < DOCUMENTS) await delay(200)
  while (true) {
    const tasks = await all((query) => api.knowledgeBaseTasks({ params: { id: base }, query }))
    if (tasks.every(({ finishedAt }) => finishedAt !== null)) return tasks
    await delay(200)
  }
}

/** Every other question is about all documents, every other about one. */
function ask({ id, number }: Stored, isAboutOne = true): Promise<RetrievalResponse> {
  const filters = isAboutOne ? { documentIds: [id] } : { knowledgeBaseIds: [base] }
  return api.retrieve({ body: { query: `DOC_${number} 重启副本`, filters } })
}

/** Of each document that answers, the versions that its hits say they are of. */
function versionsIn({ results }: RetrievalResponse): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>()
  for (const { documentId, content } of results) {
    const version = Number(/DOC_\d+ v(\d)/.exec(content)?.[1])
    found.set(documentId, (found.get(documentId) ?? new Set()).add(version))
  }
  return found
}

/** A version once indexed is whole: five pieces of its ten chunks, or nothing before the first one. */
function isTorn(answer: RetrievalResponse, isAboutOne: boolean): boolean {
  const isMixed = [...versionsIn(answer).values()].some((versions) => versions.size > 1)
  return isMixed || (isAboutOne && ![0, 5].includes(answer.results.length))
}

/** Ask until they are stopped; reject at once when an answer is torn, or none. */
function startReaders(stored: readonly Stored[]) {
  const stopping = new AbortController()
  const times: Took[] = []
  const reader = async (_: unknown, which: number): Promise<void> => {
    for (let asked = which; !stopping.signal.aborted; asked++) {
      const document = stored[Math.floor(Math.random() * stored.length)]
      if (document !== undefined) {
        const began = performance.now()
        const answer = await ask(document, asked % 2 === 0)
        times.push({ whole: performance.now() - began, stages: answer.stages })
        if (isTorn(answer, asked % 2 === 0)) throw new Error(`torn: ${JSON.stringify(answer)}`)
      }
      await delay(PAUSE_MS)
    }
  }
  const readers = Promise.all(Array.from({ length: READERS }, reader))
  readers.catch(() => undefined)
  return {
    asked: () => times.length,
    stop: async (): Promise<readonly Took[]> => {
      stopping.abort()
      await readers
      return times
    }
  }
}

/** Milliseconds of one question, as the client waited for it, and of its stages. */
interface Took {
  readonly whole: number
  readonly stages: RetrievalResponse['stages']
}

interface Measured {
  readonly indexedMs: number
  readonly busy: readonly Took[]
  readonly idle: readonly Took[]
}

/** The p95 while documents are indexed, as a multiple of the idle one. */
function report({ indexedMs, busy, idle }: Measured): number {
  const ratio = share(busy, 0.95) / share(idle, 0.95)
  const stages = idle[0]!.stages.map(({ name }) => name)
  const slower = stages.map((name) => `${name} ${stageP95(busy, name)} and ${stageP95(idle, name)}`)
  console.log(
    `${DOCUMENTS} documents in ${(indexedMs / 1000).toFixed(1)} s; while indexing ${told(busy)}; idle ${told(idle)}; ` +
      `p95 ratio ${ratio.toFixed(2)}; p95 of stages busy and idle, ms: ${slower.join(', ')}`
  )
  return ratio
}

function share(times: readonly Took[], of: number): number {
  return quantile(
    times.map(({ whole }) => whole),
    of
  )
}

function stageP95(times: readonly Took[], name: string): string {
  const took = times.flatMap(({ stages }) => stages.filter((stage) => stage.name === name).map(({ tookMs }) => tookMs))
  return quantile(took, 0.95).toFixed(0)
}

function quantile(values: readonly number[], of: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor((values.length - 1) * of)]!
}

const told = (times: readonly Took[]): string =>
  `p50 ${share(times, 0.5).toFixed(0)} ms, p95 ${share(times, 0.95).toFixed(0)} ms (${times.length})`
