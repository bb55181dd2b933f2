import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ChatRequest, type Conduct, type Exchange } from './chat-exchange.ts'

export { type CallOf, type ChatMessage, type ChatRequest, type Conduct, type Exchange } from './chat-exchange.ts'
export * from './chat-conducts.ts'
export { obeys } from './obeys.ts'

export interface ChatModelServer {
  /** `http://127.0.0.1:port`. */
  readonly origin: string
  /** What `chat.baseUrl` is set to. */
  readonly baseUrl: string
  /** What arrived, oldest first. */
  readonly requests: ChatRequest[]
  /** What the next requests meet, in order; those after them meet the usual. */
  script(...conducts: Conduct[]): void
  /** What requests meet from now on when nothing is scripted. */
  usually(conduct: Conduct): void
  /** Forgets what arrived and what was scripted. */
  reset(): void
  /** Requests that are being answered. */
  readonly open: number
  close(): Promise<void>
}

/**
 * A real HTTP server on a free port of the loopback that speaks OpenAI's `/v1/chat/completions`, streamed or not, and
 * does what it is told: answers, calls tools, stalls, dies, refuses, floods.
 */
export async function startChatModelServer(usual: Conduct): Promise<ChatModelServer> {
  const requests: ChatRequest[] = []
  const scripted: Conduct[] = []
  let usually = usual
  let open = 0
  const server = createServer(async (request, response) => {
    open += 1
    response.on('close', () => void (open -= 1))
    const body = await readBody(request)
    if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
      response.writeHead(404).end('{"error":{"message":"no such address","code":"not_found"}}')
      return
    }
    requests.push(arrived(request, response, body))
    const exchange: Exchange = { request, response, body, streamed: body.stream === true }
    await (scripted.shift() ?? usually)(exchange)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    script: (...conducts) => void scripted.push(...conducts),
    usually: (conduct) => void (usually = conduct),
    reset: () => {
      requests.length = 0
      scripted.length = 0
      usually = usual
    },
    get open() {
      return open
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

function arrived(request: IncomingMessage, response: ServerResponse, body: ChatRequest['body']): ChatRequest {
  const { promise, resolve } = Promise.withResolvers<void>()
  response.on('close', () => void (response.writableFinished || resolve()))
  return { headers: request.headers, body, at: performance.now(), hungUp: promise }
}

async function readBody(request: IncomingMessage): Promise<ChatRequest['body']> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}') as Partial<ChatRequest['body']>
  return { ...body, messages: body.messages ?? [] }
}
