import type { ApiClient, ApiError, DocumentView, IndexTask } from '@oncall-agent/api-contracts'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oncall, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { all, bootstrap, file, FINAL, keyOf } from './people.ts'
import { launch, type Served, startServer } from './served.ts'

const KILLS = 50
const CLIENTS = 3
/** Of a client between two uploads, in milliseconds. */
const PAUSE_MS = 500
/** Every other one is killed while it starts, the others up to so long after they listen. In milliseconds. */
const LONGEST_START_MS = 1_200
const LONGEST_LIFE_MS = 1_000
/** Accepted before the first kill. */
const WAITING = 60
const WAIT_FOR_ALL_MS = 90_000

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let environment: Record<string, string>
let server: Served | undefined

beforeAll(async () => {
  ;[stub, folder] = await Promise.all([startModelStub(), temporaryFolder()])
  environment = {
    ...stub.environment,
    KB_SERVER__PORT: String(await freePort()),
    KB_JOBS__LEASE_MS: '1000',
    KB_JOBS__MAX_ATTEMPTS: '100',
    KB_JOBS__WORKERS: '2',
    KB_EMBEDDING__BATCH_SIZE: '4'
  }
})
afterAll(async () => {
  await server?.stop()
  await Promise.all([stub.close(), folder.remove()])
})

describe(`a server that is killed ${KILLS} times while documents are uploaded and indexed`, () => {
  it('keeps every document that it has accepted, once, and indexes it', { timeout: 240_000 }, async () => {
    server = await startServer(folder.path, { ...environment, KB_JOBS__WORKERS: '0' })
    const { address } = server
    const ana = await bootstrap(address)
    const api = await keyOf(address, ana, 'retrieve', 'ingest')
    const base = await ana.api.createKnowledgeBase({ body: { name: 'runbooks' } })
    const uploads = startUploads(api, base.id)
    while (uploads.accepted().length < WAITING) await delay(20)
    stub.misbehave({ waitMs: 20 })

    const killed: number[] = []
    const starts: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill % 2 === 0) await delay(Math.random() * LONGEST_LIFE_MS)
      else await delay(Math.random() * LONGEST_START_MS)
      await server.kill()
      killed.push(server.pid)
      const started = performance.now()
      const { ready, ...next } = launch(['serve', '--data', folder.path, '--json'], environment)
      server = { ...next, address }
      if (kill % 2 === 0) continue
      await ready
      starts.push(performance.now() - started)
    }
    await server.kill()
    server = await startServer(folder.path, environment)
    await uploads.stop()

    const tasks = await untilAllEnded(api, base.id)
    const documents = await all((query) => api.documents({ params: { id: base.id }, query }))
    const names = documents.map(({ fileName }) => fileName).toSorted()
    const settled = uploads.accepted().toSorted()
    expect(settled.length).toBeGreaterThan(WAITING)
    expect(names).toEqual(settled)
    expect(documents.filter(({ indexStatus }) => indexStatus !== 'indexed').map(reasonOf)).toEqual([])
    expect(tasks.map(({ status }) => status)).toEqual(documents.map(() => 'succeeded'))
    await expectWholeChunks(api, documents)
    expect(killed.filter(isSomebodyLeft)).toEqual([])
    report(starts, tasks)

    expect(await server.stop(), server.log()).toBe(0)
    const doctor = await oncall(['doctor', '--data', folder.path, '--json'], environment)
    expect([doctor.exit, doctor.stdout]).toEqual([0, expect.stringContaining('"agree"')])
    // Facts and index, and each document's entry of structured search with both.
    expect(doctor.stdout.match(/"agree"/g)).toHaveLength(2)
  })
})

/** Uploads one document after the other from each client until it is stopped; a lost answer is asked for again. */
function startUploads(api: ApiClient, baseId: string) {
  const accepted: string[] = []
  const stopping = new AbortController()
  const uploadOne = async (name: string): Promise<void> => {
    const request = { params: { id: baseId }, form: { index: true }, files: [file(name, contentOf(name))] }
    let key: { readonly idempotencyKey?: string } = { idempotencyKey: name }
    while (true) {
      try {
        const { document } = await api.uploadDocuments({ ...request, ...key })
        accepted.push(document.fileName)
        return
      } catch (error) {
        const { code, details } = error as Pick<ApiError, 'code' | 'details'>
        // Stored, and killed before it could say so: the same bytes are there already.
        if (code === 'CONFLICT' && details?.documentId !== undefined) return void accepted.push(name)
        // The first request with this key died with the server, which takes it as running for minutes yet.
        if (code === 'CONFLICT') key = {}
        else if (code !== 'SYSTEM_UNAVAILABLE') throw error
        await delay(50)
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let each = 0; !stopping.signal.aborted; each++) {
      await uploadOne(`c${client}-${each}.md`)
      if (accepted.length >= WAITING) await delay(PAUSE_MS)
    }
  })
  return {
    accepted: () => accepted,
    stop: async () => {
      stopping.abort()
      await Promise.all(clients)
    }
  }
}

const SECTIONS = 8

/** Eight sections, each a chunk, and each with words that no other document has. */
function contentOf(name: string): string {
  const sections = Array.from(
    { length: SECTIONS },
    (_, at) => `## 步骤 ${at}\n\n${name} 第 ${at} 步：重启网关 E_CONN_RESET。`
  )
  return `# ${name}\n\n${sections.join('\n\n')}\n`
}

async function untilAllEnded(api: ApiClient, baseId: string): Promise<readonly IndexTask[]> {
  const until = Date.now() + WAIT_FOR_ALL_MS
  while (true) {
    const tasks = await all((query) => api.knowledgeBaseTasks({ params: { id: baseId }, query }))
    if (tasks.every(({ status }) => FINAL.includes(status))) return tasks
    putTimeForward()
    if (Date.now() > until) {
      throw new Error(`tasks have not ended: ${JSON.stringify(tasks.filter(({ status }) => !FINAL.includes(status)))}`)
    }
    await delay(200)
  }
}

/** A job waits after each attempt that died, minutes in the end: now all who wait have waited. */
function putTimeForward(): void {
  const facts = new DatabaseSync(join(folder.path, 'business.db'), { timeout: 5_000 })
  facts.prepare(`UPDATE job SET due_at = ? WHERE status = 'waiting' AND due_at > ?`).run(Date.now(), Date.now())
  facts.close()
}

/** Chunks lie one behind the other, none is there twice, and together they are the document. */
async function expectWholeChunks(api: ApiClient, documents: readonly DocumentView[]): Promise<void> {
  for (const { id, fileName, chunkCount } of documents) {
    const chunks = await all((query) => api.documentChunks({ params: { id }, query }))
    expect(chunks.map(({ sequence }) => sequence)).toEqual(chunks.map((_, at) => at))
    expect(chunks).toHaveLength(chunkCount)
    const text = chunks.map(({ content }) => content).join('\n')
    for (let at = 0; at < SECTIONS; at++) expect(text).toContain(`${fileName} 第 ${at} 步`)
    expect(await (await api.documentContent({ params: { id } })).text()).toBe(contentOf(fileName))
    const { total } = await api.search({ body: { keywords: [`${fileName} 第 3 步`], mode: 'strict' } })
    expect(total).toBeGreaterThanOrEqual(1)
    const { results } = await api.retrieve({ body: { query: `${fileName} 第 3 步`, filters: { documentIds: [id] } } })
    expect(new Set(results.map(({ chunkId }) => chunkId)).size).toBe(Math.min(5, chunkCount))
  }
}

/** What a server had started, the reader of documents, ends with it. */
function isSomebodyLeft(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

function reasonOf({ fileName, indexStatus, failure }: DocumentView): string {
  return `${fileName}: ${indexStatus} ${failure?.message ?? ''}`
}

function report(starts: readonly number[], tasks: readonly IndexTask[]): void {
  const sorted = starts.toSorted((left, right) => left - right)
  const median = Math.round(sorted[Math.floor(sorted.length / 2)]!)
  const again = tasks.filter(({ attempt }) => attempt > 1).length
  const most = Math.max(...tasks.map(({ attempt }) => attempt))
  console.log(`start ${median} ms (median); ${tasks.length} tasks, ${again} taken up again, at most ${most} times`)
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  return port
}
