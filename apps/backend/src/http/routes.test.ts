import { AppError, createApiClient, errorBodySchema, type RetrievalRequest } from '@oncall-agent/api-contracts'
import { afterEach, describe, expect, test } from 'vitest'
import type { Caller } from '../auth/index.ts'
import { emptyAnswer, serve, type Served, type ServeParts } from './test-material/served.ts'

let served: Served | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})
async function start(parts?: ServeParts): Promise<Served> {
  served = await serve(parts)
  return served
}

const system = { summary: touched, jobs: touched }

async function touched(): Promise<never> {
  throw new Error('touched')
}

describe('GET /health', () => {
  test('says that the process lives and touches nothing', async () => {
    const { ask } = await start({
      system: { ...system, readiness: touched },
      retrieve: touched,
      findRun: touched,
      auth: { callerOfSession: touched, callerOfKey: touched } as never
    })
    const headers = { authorization: 'Bearer oncall_x', cookie: 'oncall_session=x' }
    expect(await ask('/health', { headers })).toMatchObject({ status: 200, body: { status: 'ok', version: '0.1.0' } })
  })
})

describe('GET /ready', () => {
  const part = { name: 'embedder', ok: true, latencyMs: 2, message: 'Embedder is warm.' }

  test('answers 200 with every part when all can work', async () => {
    const { ask } = await start({ system: { ...system, readiness: async () => [part] } })
    expect(await ask('/ready')).toMatchObject({ status: 200, body: { ready: true, parts: [part] } })
  })

  test('answers 503 with the same shape when one cannot', async () => {
    const broken = { ...part, name: 'knowledge index', ok: false }
    const { ask } = await start({ system: { ...system, readiness: async () => [part, broken] } })
    expect(await ask('/ready')).toMatchObject({ status: 503, body: { ready: false, parts: [part, broken] } })
  })
})

describe('POST /api/v1/retrieval', () => {
  test('gives the checked question and a context to the room, and its answer to the caller', async () => {
    const calls: [Caller, RetrievalRequest, AbortSignal][] = []
    const { postJson } = await start({
      retrieve: async (caller, request, signal) => {
        calls.push([caller, request, signal])
        return emptyAnswer
      }
    })
    const { status, body } = await postJson('/api/v1/retrieval', {
      query: ' 磁盘满了 ',
      filters: { documentIds: ['d'] }
    })
    expect([status, body]).toEqual([200, emptyAnswer])
    expect(calls[0]?.[0]).toMatchObject({ via: 'local', tenantId: 'local' })
    expect(calls[0]?.[1]).toEqual({ query: '磁盘满了', topK: 5, filters: { documentIds: ['d'] } })
    expect(calls[0]?.[2].aborted).toBe(false)
  })

  test('serves the typed client', async () => {
    const { port } = await start()
    const client = createApiClient({ baseUrl: `http://127.0.0.1:${port}` })
    expect(await client.retrieve({ body: { query: 'q' } })).toEqual(emptyAnswer)
    await expect(client.retrieve({ body: { query: '' } })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      status: 400
    })
  })

  test.each([
    [{ query: '  ' }, 'query'],
    [{ query: 'q', topK: 0 }, 'topK'],
    [{ query: 'q', filters: { metadata: { a: [1] } } }, 'filters.metadata.a'],
    [{ query: 'q', limit: 3 }, 'limit'],
    [[], 'body']
  ])('refuses %j and names the field', async (request, field) => {
    const { postJson } = await start()
    const { status, body } = await postJson('/api/v1/retrieval', request)
    const { error } = errorBodySchema.parse(body)
    expect([status, error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(error.message).toContain(field)
    expect(error.details?.issues).toHaveLength(1)
  })

  test('passes the details of a failure on, and nothing of its cause', async () => {
    const { postJson } = await start({
      retrieve: async () => {
        throw new AppError('SYSTEM_UNAVAILABLE', {
          operation: 'retrieve evidence',
          message: 'Knowledge reranking is temporarily unavailable.',
          details: { runId: 'run-9', stages: [] },
          cause: new Error('connect ECONNREFUSED https://bob:hunter22@rerank.internal')
        })
      }
    })
    const { status, body } = await postJson('/api/v1/retrieval', { query: 'q' })
    const { error } = errorBodySchema.parse(body)
    expect(status).toBe(503)
    expect(error).toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      message: 'Knowledge reranking is temporarily unavailable.'
    })
    expect(error.details).toEqual({ runId: 'run-9', stages: [] })
    expect(JSON.stringify(body)).not.toMatch(/hunter22|internal|ECONNREFUSED/)
  })

  test('sends only what the contract has, should a room give more', async () => {
    const { postJson } = await start({ retrieve: async () => ({ ...emptyAnswer, apiKey: 'hunter22' }) })
    expect((await postJson('/api/v1/retrieval', { query: 'q' })).body).toEqual(emptyAnswer)
  })

  test('is a fault of ours when a room breaks the contract', async () => {
    const { postJson, events } = await start({ retrieve: async () => ({ ...emptyAnswer, topK: 'many' }) as never })
    expect(await postJson('/api/v1/retrieval', { query: 'q' })).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL' } }
    })
    expect(events().find((event) => event.level === 'error')).toMatchObject({
      code: 'INTERNAL',
      err: { cause: expect.anything() }
    })
  })
})

describe('GET /api/v1/retrieval/runs/:runId', () => {
  const run = {
    runId: 'run 1',
    tenantId: 't',
    userId: 'u',
    createdAt: 1,
    query: 'q',
    outcome: 'ok' as const,
    record: { a: [1] }
  }

  test('gives the stored run', async () => {
    const { ask } = await start({ findRun: async (_caller, runId) => (runId === run.runId ? run : undefined) })
    expect(await ask('/api/v1/retrieval/runs/run%201')).toMatchObject({ status: 200, body: run })
  })

  test.each([
    ['200 characters are an id', 200, 404, /does not exist/],
    ['more are told to be too many', 201, 400, /runId: must have at most 200 characters/]
  ])('as the contract says, %s, however they are written', async (_what, length, status, message) => {
    const { ask } = await start()
    for (const character of ['x', '%E4%B8%AD']) {
      const { body, ...answer } = await ask(`/api/v1/retrieval/runs/${character.repeat(length)}`)
      expect([answer.status, errorBodySchema.parse(body).error.message]).toEqual([
        status,
        expect.stringMatching(message)
      ])
    }
  })

  test('knows no run of another tenant, nor one that never was', async () => {
    const { ask } = await start()
    expect(await ask('/api/v1/retrieval/runs/run-2')).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } }
    })
  })
})
