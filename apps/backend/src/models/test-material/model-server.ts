import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it arrived, and the means to answer it in any way, or not at all. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Record<string, unknown>
}

export type Behaviour = (exchange: Exchange) => void

/** What arrived, for tests to look at. */
export interface Arrival {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
  /** Milliseconds of the process's clock. */
  readonly at: number
  /** Settles when the caller hangs up before it has its answer. */
  readonly hungUp: Promise<void>
}

export interface ModelServer {
  readonly origin: string
  readonly arrivals: Arrival[]
  /** What the next requests meet, in order; those after them are answered as `usual` does. */
  script(...behaviours: Behaviour[]): void
  close(): Promise<void>
}

/** A real HTTP server that speaks the models' protocols, and misbehaves by script. */
export async function startModelServer(usual: Behaviour): Promise<ModelServer> {
  const arrivals: Arrival[] = []
  const scripted: Behaviour[] = []
  const server = createServer(async (request, response) => {
    const body = await readJson(request)
    const { promise: hungUp, resolve } = Promise.withResolvers<void>()
    response.on('close', () => void (response.writableFinished || resolve()))
    arrivals.push({ path: request.url ?? '', headers: request.headers, body, at: performance.now(), hungUp })
    const behaviour = scripted.shift() ?? usual
    behaviour({ request, response, body })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    script: (...behaviours) => void scripted.push(...behaviours),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8') || '{}') as Record<string, unknown>
}

/** Answers every text with a vector that its hash decides, as OpenAI does; more words than `maxWords` are refused. */
export function embeddings(dimension: number, { maxWords = 1_000_000, base64 = false } = {}): Behaviour {
  return (exchange) => {
    const input = exchange.body.input as string[]
    if (input.some((text) => text.split(/\s+/).length > maxWords)) {
      return status(400, { body: contextLengthError(maxWords) })(exchange)
    }
    const data = input.map((text, index) => {
      const vector = hashVector(text, dimension)
      const embedding = base64 ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
      return { object: 'embedding', index, embedding }
    })
    return json({ object: 'list', data, model: exchange.body.model, usage: { total_tokens: 1 } })(exchange)
  }
}

export function hashVector(text: string, dimension: number): number[] {
  return Array.from({ length: dimension }, (_, i) => createHash('sha256').update(`${i}:${text}`).digest().readInt16LE())
}

function contextLengthError(maxWords: number): string {
  return JSON.stringify({
    error: {
      message: `This model's maximum context length is ${maxWords} tokens. Please reduce your input.`,
      code: 'context_length_exceeded'
    }
  })
}

/** The share of a question's characters that a document has, sorted as servers do. */
export function overlapResults(query: string, documents: readonly unknown[], topN: number): unknown[] {
  const wanted = [...new Set(query)]
  return documents
    .map((document, index) => {
      const text = typeof document === 'string' ? document : (document as { text: string }).text
      return { index, relevance_score: wanted.filter((each) => text.includes(each)).length / wanted.length }
    })
    .toSorted((left, right) => right.relevance_score - left.relevance_score)
    .slice(0, topN)
}

export function json(value: unknown): Behaviour {
  return raw(JSON.stringify(value), 'application/json')
}

export function raw(text: string, type: string): Behaviour {
  return ({ response }) => void response.writeHead(200, { 'content-type': type }).end(text)
}

export function status(code: number, { headers = {}, body = '' }: StatusParts = {}): Behaviour {
  return ({ response }) => void response.writeHead(code, headers).end(body)
}

interface StatusParts {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Accepts the request and says nothing, ever. */
export const stall: Behaviour = () => {}

/** Sends headers, and never a body. */
export const stallAfterHeaders: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
}

/** Breaks the connection in the middle of the body. */
export const breakOff: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"data": [', () => response.destroy())
}

/** Sends blanks as fast as they are taken, until the caller hangs up. */
export const flood: Behaviour = ({ response }) => {
  const block = Buffer.alloc(1024 * 1024, ' ')
  const send = (): void => void (response.destroyed || response.write(block, () => setImmediate(send)))
  response.writeHead(200, { 'content-type': 'application/json' })
  send()
}
