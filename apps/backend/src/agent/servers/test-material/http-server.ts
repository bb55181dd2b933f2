import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createTestToolServer } from './tools.ts'

export interface HttpToolServer {
  readonly url: string
  readonly port: number
  readonly headers: readonly IncomingHttpHeaders[]
  readonly calls: readonly string[]
  readonly cancelled: readonly string[]
  /** Open sessions. */
  readonly sessions: ReadonlyMap<string, unknown>
  /** As a restart does: every session is unknown from now on. */
  forgetSessions(): void
  close(): Promise<void>
}

export interface HttpOptions {
  /** Of the Authorization header; others get 401. */
  readonly token?: string
  /** Answers instead of MCP. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse) => void
}

/** The test's server over streamable HTTP, on a free port of this machine. */
export async function startHttpToolServer({ token, instead }: HttpOptions = {}): Promise<HttpToolServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const headers: IncomingHttpHeaders[] = []
  const calls: string[] = []
  const cancelled: string[] = []
  const changed = { is: false }
  const listening = createServer((request, response) => {
    headers.push(request.headers)
    if (instead) instead(request, response)
    else if (token !== undefined && request.headers.authorization !== token) response.writeHead(401).end(`not ${token}`)
    else void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = request.headers['mcp-session-id']
    const transport = typeof known === 'string' ? sessions.get(known) : await newSession()
    if (transport === undefined) response.writeHead(404).end()
    else await transport.handleRequest(request, response)
  }

  async function newSession(): Promise<StreamableHTTPServerTransport> {
    const made = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, made),
      onsessionclosed: (id) => void sessions.delete(id)
    })
    const server = createTestToolServer({
      changed,
      onCall: (tool) => void calls.push(tool),
      onCancelled: (tool) => void cancelled.push(tool)
    })
    await server.connect(made as Transport)
    return made
  }

  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    headers,
    calls,
    cancelled,
    sessions,
    forgetSessions: () => sessions.clear(),
    close: async () => {
      listening.closeAllConnections()
      listening.close()
      await once(listening, 'close')
    }
  }
}
