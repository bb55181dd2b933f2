import { setTimeout as delay } from 'node:timers/promises'
import { AppError, type RetrievalResponse } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import type { EndedToolCall } from '../agent/index.ts'
import type { Caller } from '../auth/index.ts'
import { createLogger } from '../observability/index.ts'
import { createMcpOverHttp, type McpHttpAnswer, type McpOverHttp } from './over-http.ts'
import type { McpRooms } from './rooms.ts'

const empty: RetrievalResponse = { query: 'q', topK: 5, results: [], citations: [], stages: [], runId: 'run-1' }
const caller = (credentialId: string): Caller => {
  return { userId: 'ana', tenantId: 'ana', role: 'member', via: 'api-key', scopes: new Set(['retrieve']), credentialId }
}

interface Bench {
  readonly mcp: McpOverHttp
  readonly recorded: readonly EndedToolCall[]
  readonly log: readonly string[]
  readonly send: (body: unknown, options?: SendOptions) => Promise<McpHttpAnswer>
  /** Begins a session. @returns its id */
  readonly begin: (key?: string) => Promise<string>
  readonly call: (id: number, session: string, options?: SendOptions) => Promise<McpHttpAnswer>
}

interface SendOptions {
  readonly session?: string
  readonly key?: string
  readonly gone?: AbortSignal
  readonly method?: string
}

function bench(rooms: Partial<McpRooms> = {}, now?: () => number): Bench {
  const recorded: EndedToolCall[] = []
  const log: string[] = []
  const mcp = createMcpOverHttp(
    {
      retrieve: async () => empty,
      search: unused,
      knowledge: { bases: unused, base: unused, document: unused, text: unused, chunks: unused },
      record: async (call) => void recorded.push(call),
      logger: createLogger({ level: 'info', destination: { write: (line: string) => void log.push(line) } }),
      version: '0.1.0',
      ...rooms
    },
    now
  )
  const send: Bench['send'] = (body, { session, key = 'key-1', gone, method = 'POST' } = {}) => {
    const about = session === undefined ? {} : { 'mcp-session-id': session }
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...about }
    const request = { method, headers, body, caller: caller(key), language: 'en' as const }
    return mcp.answer(request, gone ?? new AbortController().signal)
  }
  const begin: Bench['begin'] = async (key) => {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const { headers } = await send(rpc('initialize', params, 1), key === undefined ? {} : { key })
    return headers['mcp-session-id']!
  }
  const call: Bench['call'] = (id, session, options) =>
    send(rpc('tools/call', { name: 'knowledge_retrieval', arguments: { query: 'q' } }, id), { session, ...options })
  return { mcp, recorded, log, send, begin, call }
}

async function unused(): Promise<never> {
  throw new Error('https://internal.example?key=hunter22 is down')
}

function rpc(method: string, params: object, id?: number) {
  return { jsonrpc: '2.0', method, params, ...(id === undefined ? {} : { id }) }
}

const resultOf = ({ body }: McpHttpAnswer) => (JSON.parse(body) as { result: Record<string, unknown> }).result

/** A retrieval that goes on until it is aborted. */
function endless() {
  const reasons: unknown[] = []
  const started = Promise.withResolvers<void>()
  const retrieve: McpRooms['retrieve'] = (_caller, _request, signal) => {
    started.resolve()
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reasons.push(signal.reason)
        reject(signal.reason as Error)
      })
    })
  }
  const running = () => started.promise
  return { retrieve, reasons, running }
}

describe('an answer over HTTP', () => {
  test('is given once its call is written down, and not where it can not be', async () => {
    const { begin, call, recorded } = bench()
    expect(resultOf(await call(2, await begin()))).toMatchObject({ structuredContent: empty })
    expect(recorded).toMatchObject([
      { tool: 'knowledge_retrieval', status: 'ok', origin: 'mcp', input: { query: 'q' } }
    ])
    const full = bench({ record: () => Promise.reject(new AppError('STORAGE_FULL', { operation: 'write' })) })
    const refused = resultOf(await full.call(2, await full.begin()))
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^SYSTEM_UNAVAILABLE/) as string }]
    })
    expect(JSON.stringify(refused)).not.toContain('run-1')
  })

  test('tells a fault of ours by its code alone; the log has the rest, without secrets', async () => {
    const { begin, send, log, recorded } = bench()
    const asked = rpc('tools/call', { name: 'list_knowledge_bases' }, 2)
    const result = resultOf(await send(asked, { session: await begin() }))
    expect(result).toMatchObject({ isError: true, content: [{ text: 'INTERNAL: Something went wrong here.' }] })
    expect(JSON.stringify([result, recorded])).not.toMatch(/internal.example|hunter22/)
    expect(log.join('')).toContain('internal.example')
    expect(log.join('')).not.toContain('hunter22')
  })

  test('ends when its client gives the call up, and the work with it', async () => {
    const { retrieve, reasons, running } = endless()
    const { begin, call, send, recorded } = bench({ retrieve })
    const session = await begin()
    const waiting = call(7, session)
    await running()
    expect((await send(rpc('notifications/cancelled', { requestId: 7 }), { session })).status).toBe(202)
    expect(await waiting).toEqual({ status: 202, headers: {}, body: '' })
    expect(reasons).toHaveLength(1)
    while (recorded.length === 0) await delay(5)
    expect(recorded[0]).toMatchObject({ status: 'cancelled', failure: { code: 'CANCELLED' }, result: null })
  })

  test('ends when its client is gone, and when the server stops', async () => {
    const { retrieve, reasons, running } = endless()
    const { begin, call, mcp } = bench({ retrieve })
    const gone = new AbortController()
    const session = await begin()
    const left = call(7, session, { gone: gone.signal })
    await running()
    gone.abort(new Error('gone'))
    expect(resultOf(await left)).toMatchObject({ isError: true })
    const other = call(8, session)
    await delay(20)
    await mcp.close()
    await other
    expect(reasons).toHaveLength(2)
  })

  test('of one client is not given up by another that uses the same number', async () => {
    const { retrieve, reasons, running } = endless()
    const { begin, call, send, mcp } = bench({ retrieve })
    const [one, other] = [await begin(), await begin()]
    const waiting = call(7, one)
    await running()
    await send(rpc('notifications/cancelled', { requestId: 7 }), { session: other })
    await delay(50)
    expect(reasons).toEqual([])
    await mcp.close()
    await waiting
  })
})

describe('a session', () => {
  test('is over after half an hour without a request, and not while it is used', async () => {
    let now = 0
    const { begin, call } = bench({}, () => now)
    const [used, idle] = [await begin(), await begin()]
    now = 1_700_000
    expect((await call(2, used)).status).toBe(200)
    now = 1_900_000
    expect((await call(3, used)).status).toBe(200)
    await expect(call(2, idle)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of one key is nobody else’s, whatever is tried with it', async () => {
    const { begin, call, send } = bench()
    const session = await begin('key-1')
    const notFound = { code: 'NOT_FOUND' }
    await expect(call(2, session, { key: 'key-2' })).rejects.toMatchObject(notFound)
    await expect(send(undefined, { session, key: 'key-2', method: 'DELETE' })).rejects.toMatchObject(notFound)
    await expect(call(2, 'never-begun')).rejects.toMatchObject(notFound)
    expect((await call(2, session)).status).toBe(200)
  })

  test('is not begun by anything but an introduction', async () => {
    const { send } = bench()
    const { status, headers } = await send(rpc('tools/list', {}, 1))
    expect([status, headers['mcp-session-id']]).toEqual([400, undefined])
    expect((await send(undefined, { method: 'DELETE' })).status).toBe(400)
    expect((await send({ any: 'thing' })).status).toBe(400)
  })
})
