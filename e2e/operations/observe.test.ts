import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from '../service/model-stub.ts'
import { bootstrap, ended, file, PASSWORD, type Person } from '../service/people.ts'
import { type Served, startServer } from '../service/served.ts'
import { type ReceivedSpan, startCollector } from './trace-collector.ts'

const MODEL_KEY = 'planted-model-key-8f3a'
const QUESTION = 'planted-question 磁盘满了'

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let collector: Awaited<ReturnType<typeof startCollector>>
let server: Served
let ana: Person
let key: string
let metrics: string
let runId: string | null
let taskId: string
let exit: number | null

const requestId = 'request-of-the-test'
const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

beforeAll(async () => {
  ;[stub, folder, collector] = await Promise.all([startModelStub(), temporaryFolder(), startCollector()])
  server = await startServer(folder.path, {
    ...stub.environment,
    KB_EMBEDDING__API_KEY: MODEL_KEY,
    KB_OBSERVABILITY__TRACE_ENDPOINT: collector.endpoint,
    KB_OBSERVABILITY__LOG_LEVEL: 'trace',
    KB_EMBEDDING__TIMEOUT_MS: '2000'
  })
  ana = await bootstrap(server.address)
  const { id: baseId } = await ana.api.createKnowledgeBase({ body: { name: 'runbooks' } })
  const form = { index: true }
  const { task } = await ana.api.uploadDocuments({
    params: { id: baseId },
    form,
    files: [file('a.md', '磁盘满了就清理')]
  })
  taskId = (await ended(ana.api, task!.id)).id
  ;({ key } = await ana.api.createApiKey({ body: { name: 'planted', scopes: ['retrieve'] } }))

  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const ask = async (more: Readonly<Record<string, string>>) => {
    const body = JSON.stringify({ query: QUESTION })
    const response = await fetch(`${server.address}/api/v1/retrieval`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body
    })
    return (await response.json()) as { readonly runId: string | null }
  }
  ;({ runId } = await ask({ 'x-request-id': requestId, traceparent: parent }))
  stub.misbehave({ status: 401 })
  await ask({ cookie: 'oncall_session=planted-cookie', 'x-api-key': 'planted-header' })
  stub.misbehave(undefined)
  await fetch(`${server.address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ana', password: 'planted-password' })
  })
  metrics = await (await fetch(`${server.address}/metrics`, { headers: { cookie: ana.cookie } })).text()
  exit = await server.stop()
})
afterAll(async () => {
  await server?.kill()
  await Promise.all([stub.close(), folder.remove(), collector.close()])
})

const lines = () =>
  server
    .log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const about = (msg: string) => lines().filter((line) => line.msg === msg)

const named = (name: string) => collector.spans.filter((span) => span.name === name)

const attribute = (span: ReceivedSpan, name: string) => span.attributes.find(({ key: each }) => each === name)?.value

describe('the log of a server', () => {
  it('has one line of JSON an event, with the ids of request, run and job', () => {
    expect(exit, server.log()).toBe(0)
    expect(about('retrieved')).toEqual([expect.objectContaining({ requestId, runId, results: 1 })])
    expect(about('answered')).toContainEqual(
      expect.objectContaining({ requestId, method: 'POST', route: '/api/v1/retrieval', status: 200 })
    )
    for (const line of about('answered')) expect(line.requestId).toEqual(expect.any(String))
    for (const msg of ['job taken', 'job done']) {
      expect(about(msg)).toContainEqual(expect.objectContaining({ jobId: expect.any(String), kind: 'index-document' }))
    }
  })

  it('holds no secret, also where a model refused its key and a password was wrong', () => {
    const log = server.log()
    const cookie = ana.cookie.split('=')[1]!
    for (const secret of [MODEL_KEY, key, cookie, PASSWORD, 'planted-cookie', 'planted-header', 'planted-password']) {
      expect(log.includes(secret), secret).toBe(false)
    }
    expect(log).toContain('answered')
  })
})

describe('the measurements of a server', () => {
  it.each([
    ['jobs by state', /^oncall_jobs_waiting 0$/m],
    ['the age of the oldest job', /^oncall_jobs_oldest_waiting_seconds 0$/m],
    ['what happened to jobs', /^oncall_job_events_total\{kind="index-document",event="done"\} 1$/m],
    ['how long stages took', /^oncall_retrieval_stage_duration_seconds_count\{stage="vector",status="ok"\} 1$/m],
    ['stages that failed', /^oncall_retrieval_stage_duration_seconds_count\{stage="embed",status="failed"\} 1$/m],
    ['models that failed', /^oncall_model_errors_total\{role="embedder",provider="openai",failure="[a-z-]+"\} [1-9]/m],
    ['the index', /^oncall_index_documents 1$/m],
    ['its chunks', /^oncall_index_chunks 1$/m],
    ['its bytes', /^oncall_index_bytes \d{4,}$/m],
    ['the build', /^oncall_build_info\{version="[\d.]+",node="v24[\d.]+"\} 1$/m],
    ['the event loop', /^nodejs_eventloop_lag_p99_seconds /m],
    ['the process', /^process_resident_memory_bytes /m],
    ['requests', /^oncall_http_requests_total\{method="POST",route="\/api\/v1\/retrieval",status="200"\} 1$/m]
  ])('tell %s', (_what, line) => expect(metrics).toMatch(line))
})

describe('the traces of a server', () => {
  it('have a span for the request below the caller’s, for the retrieval below it, and for its stages below that', () => {
    const request = named('POST /api/v1/retrieval').find((span) => span.traceId === '0af7651916cd43dd8448eb211c80319c')
    expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331' })
    expect(attribute(request!, 'oncall.request_id')).toEqual({ stringValue: requestId })
    expect(attribute(request!, 'http.response.status_code')).toEqual({ intValue: 200 })
    const [retrieval] = named('retrieve').filter(({ parentSpanId }) => parentSpanId === request!.spanId)
    const stages = collector.spans.filter(({ parentSpanId }) => parentSpanId === retrieval!.spanId)
    expect(stages.map(({ name }) => name).toSorted()).toEqual(
      ['embed', 'fuse', 'lexical', 'rerank', 'vector'].map((stage) => `stage ${stage}`)
    )
    for (const span of [...stages, retrieval!]) {
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request!.startTimeUnixNano) - 2_000_000n)
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request!.endTimeUnixNano) + 2_000_000n)
    }
  })

  it('have a span for each index task, and none that holds what was asked', () => {
    const [job] = named('job index-document')
    expect(attribute(job!, 'oncall.job_subject')).toEqual({ stringValue: taskId })
    expect(attribute(job!, 'oncall.job_event')).toEqual({ stringValue: 'done' })
    expect(JSON.stringify(collector.spans)).not.toContain('planted')
  })
})
