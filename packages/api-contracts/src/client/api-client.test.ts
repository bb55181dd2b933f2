import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type ApiClient, createApiClient } from './api-client.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function clientOf(listener: RequestListener): Promise<ApiClient> {
  const started = createServer(listener)
  server = started
  await new Promise<void>((done) => started.listen(0, '127.0.0.1', done))
  return createApiClient({ baseUrl: `http://127.0.0.1:${(started.address() as AddressInfo).port}` })
}

const answering =
  (status: number, body: unknown): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
const emptyAnswer = { query: 'q', topK: 5, results: [], citations: [], stages: [], runId: 'run-1' }

describe('the client of the HTTP interface', () => {
  test('sends a question as JSON to the route of the table and gives the answer', async () => {
    let seen: unknown
    const client = await clientOf(async (request, response) => {
      const parts = await request.toArray()
      seen = [request.method, request.url, request.headers['content-type'], JSON.parse(Buffer.concat(parts).toString())]
      answering(200, emptyAnswer)(request, response)
    })
    expect(await client.retrieve({ body: { query: 'q', filters: { documentIds: ['d1'] } } })).toEqual(emptyAnswer)
    expect(seen).toEqual([
      'POST',
      '/api/v1/retrieval',
      'application/json',
      { query: 'q', filters: { documentIds: ['d1'] } }
    ])
  })

  test('puts a run id into the path safely', async () => {
    let url: string | undefined
    const client = await clientOf((request, response) => {
      url = request.url
      answering(404, { error: { code: 'NOT_FOUND', message: 'It does not exist.', requestId: 'r9' } })(
        request,
        response
      )
    })
    await expect(client.retrievalRun({ params: { runId: '../a b' } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
      requestId: 'r9'
    })
    expect(url).toBe('/api/v1/retrieval/runs/..%2Fa%20b')
  })

  test('gives a server that is not ready as an answer', async () => {
    const report = {
      ready: false,
      version: '1',
      parts: [{ name: 'embedder', ok: false, latencyMs: 1, message: 'off' }]
    }
    const client = await clientOf(answering(503, report))
    expect(await client.ready()).toEqual(report)
  })

  test('keeps the details of an error', async () => {
    const error = { code: 'VALIDATION_FAILED', message: 'no', requestId: 'r', details: { issues: ['query'] } }
    const client = await clientOf(answering(400, { error }))
    await expect(client.retrieve({ body: { query: '' } })).rejects.toMatchObject({ details: { issues: ['query'] } })
  })

  test.each([
    ['a page of a proxy', answering(502, { oops: true })],
    ['a success of another shape', answering(200, { status: 'fine' })],
    ['something that is not JSON', ((_request, response) => response.end('<html>')) as RequestListener],
    ['a connection that breaks', ((request) => request.destroy()) as RequestListener]
  ])('calls %s unavailable and keeps the cause', async (_what, listener) => {
    const client = await clientOf(listener)
    await expect(client.health()).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE', cause: expect.any(Error) })
  })

  test('rejects with the reason of the signal when it is aborted', async () => {
    const abort = new AbortController()
    const reason = new Error('the page was left')
    const client = await clientOf(() => abort.abort(reason))
    await expect(client.health({ signal: abort.signal })).rejects.toBe(reason)
  })
})
