import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from '../service/model-stub.ts'
import { bootstrap, ended, file, type Person } from '../service/people.ts'
import { type Served, startServer, startWorker } from '../service/served.ts'

const RETRIEVALS = 20
/** Answers take this long, so that all of them are under way when the server is told to stop. */
const ANSWER_MS = 6_000
/** Until all connections are accepted, also on a busy machine: what only waits in the system's queue is nobody's yet. */
const UNDER_WAY_MS = 3_000

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
let other: Served | undefined
let environment: Record<string, string>
let ana: Person
let baseId: string

beforeEach(async () => {
  ;[stub, folder] = await Promise.all([startModelStub(), temporaryFolder()])
  // No lease of this test ever runs out: what another process takes up was handed back.
  environment = { ...stub.environment, KB_JOBS__LEASE_MS: '600000' }
  server = await startServer(folder.path, environment)
  ana = await bootstrap(server.address)
  baseId = (await ana.api.createKnowledgeBase({ body: { name: 'runbooks' } })).id
})
afterEach(async () => {
  await Promise.all([server.kill(), other?.kill()])
  other = undefined
  await Promise.all([stub.close(), folder.remove()])
})

const upload = async (name: string, text: string) => {
  const files = [file(name, text)]
  return (await ana.api.uploadDocuments({ params: { id: baseId }, form: { index: true }, files })).task!.id
}

describe('a server that is told to stop', () => {
  it(`answers ${RETRIEVALS} retrievals and an upload that are under way, takes nothing new, and ends with 0`, async () => {
    await ended(ana.api, await upload('a.md', '网关 E_CONN_RESET 怎么恢复'))
    stub.misbehave({ waitMs: ANSWER_MS })
    const retrievals = Array.from({ length: RETRIEVALS }, () => ana.api.retrieve({ body: { query: 'E_CONN_RESET' } }))
    const uploading = slowUpload()
    await delay(UNDER_WAY_MS)
    const beginning = performance.now()
    const stopped = server.stop()
    await delay(200)
    await expect(fetch(`${server.address}/health`)).rejects.toThrow('fetch failed')
    uploading.finish()
    const answers = await Promise.all(retrievals).catch((e: unknown) => {
      throw new Error(server.log(), { cause: e })
    })
    expect(answers.map(({ results }) => results.length)).toEqual(answers.map(() => 1))
    expect((await uploading.response).status).toBe(201)
    expect(await stopped, server.log()).toBe(0)
    expect(performance.now() - beginning).toBeLessThan(20_000)
    expect(server.log()).not.toContain('"level":"error"')
  })

  it('hands its jobs back at once: another process does them without waiting for a lease', async () => {
    stub.misbehave({ waitMs: 600_000, holding: 'slow words' })
    const taskId = await upload('slow.md', 'slow words')
    while ((await ana.api.indexTask({ params: { id: taskId } })).status !== 'running') await delay(20)
    expect(await server.stop(), server.log()).toBe(0)
    expect(server.log()).toContain('job handed-back')
    stub.misbehave(undefined)
    other = await startServer(folder.path, { ...environment, KB_JOBS__WORKERS: '1' })
    const { address } = other
    const response = async () => {
      const task = await fetch(`${address}/api/v1/index-tasks/${taskId}`, { headers: { cookie: ana.cookie } })
      return ((await task.json()) as { readonly status: string }).status
    }
    const until = Date.now() + 15_000
    while ((await response()) !== 'succeeded' && Date.now() < until) await delay(50)
    expect(await response()).toBe('succeeded')
  })

  it('twice ends at once', async () => {
    stub.misbehave({ waitMs: 60_000 })
    const lost = ana.api.retrieve({ body: { query: 'E_CONN_RESET' } }).catch((error: unknown) => error)
    await delay(300)
    const first = server.stop()
    await delay(300)
    const beginning = performance.now()
    process.kill(server.pid, 'SIGTERM')
    await first
    expect(performance.now() - beginning).toBeLessThan(2_000)
    expect(await lost).toBeInstanceOf(Error)
  })
})

describe('a worker that is told to stop', () => {
  it('hands its jobs back, and ends with 0', async () => {
    await server.stop()
    server = await startServer(folder.path, { ...environment, KB_JOBS__WORKERS: '0' })
    const { address } = server
    stub.misbehave({ waitMs: 600_000, holding: 'slow words' })
    other = await startWorker(folder.path, environment)
    const form = new FormData()
    form.set('index', 'true')
    form.set('file', new Blob(['slow words']), 'slow.md')
    const headers = { cookie: ana.cookie, origin: address }
    await fetch(`${address}/api/v1/knowledge-bases/${baseId}/documents`, { method: 'POST', headers, body: form })
    const until = Date.now() + 15_000
    while (!other.log().includes('job taken') && Date.now() < until) await delay(50)
    expect(await other.stop(), other.log()).toBe(0)
    expect(other.log()).toContain('job handed-back')
  })
})

/** A file that arrives in two parts, the second when `finish` is called. */
function slowUpload() {
  const boundary = 'a-boundary-of-the-test'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="b.md"\r\n\r\nfirst half, `
  const rest = Promise.withResolvers<void>()
  const body = async function* parts() {
    yield Buffer.from(head)
    await rest.promise
    yield Buffer.from(`second half\r\n--${boundary}--\r\n`)
  }
  const response = fetch(`${server.address}/api/v1/knowledge-bases/${baseId}/documents`, {
    method: 'POST',
    headers: {
      cookie: ana.cookie,
      origin: server.address,
      'content-type': `multipart/form-data; boundary=${boundary}`
    },
    body: ReadableStream.from(body()) as ReadableStream<Uint8Array<ArrayBuffer>>,
    duplex: 'half'
  } as RequestInit)
  return { response, finish: rest.resolve }
}
