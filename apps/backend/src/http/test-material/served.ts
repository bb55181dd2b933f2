import { once } from 'node:events'
import { type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RetrievalResponse } from '@oncall-agent/api-contracts'
import { createLogger } from '../../observability/index.ts'
import { createHttpServer } from '../create-http-server.ts'
import type { HttpDependencies } from '../dependencies.ts'

export const emptyAnswer: RetrievalResponse = {
  query: 'q',
  topK: 5,
  results: [],
  citations: [],
  stages: [{ name: 'embed', status: 'ok', engine: 'bundled', candidates: 1, tookMs: 1.5 }],
  runId: 'run-1'
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface Served {
  readonly port: number
  readonly server: Awaited<ReturnType<typeof createHttpServer>>
  /** Log events so far. */
  readonly events: () => readonly Record<string, unknown>[]
  readonly ask: (path: string, options?: RequestOptions & { readonly body?: string }) => Promise<Answered>
  readonly postJson: (path: string, body: unknown) => Promise<Answered>
}

/** A real server on a free port of 127.0.0.1, with parts that answer empty unless they are replaced. */
export async function serve(parts: Partial<HttpDependencies> = {}): Promise<Served> {
  const lines: string[] = []
  const server = await createHttpServer({
    logger: createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } }),
    version: '0.1.0',
    retrieve: async () => emptyAnswer,
    findRun: async () => undefined,
    readiness: async () => [],
    ...parts
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const ask: Served['ask'] = (path, options = {}) => send({ port, path, ...options }, options.body)
  const postJson: Served['postJson'] = (path, body) =>
    ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { port, server, ask, postJson, events: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

/** Plain `node:http`: `fetch` does not let a test choose the Host header. */
async function send(options: RequestOptions, body?: string): Promise<Answered> {
  const sent = request({ host: '127.0.0.1', agent: false, ...options }).end(body)
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  const text = Buffer.concat(await response.toArray()).toString()
  return { status: response.statusCode ?? 0, headers: response.headers, body: text === '' ? '' : JSON.parse(text) }
}
