import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CancelledNotificationSchema, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import type { Caller } from '../auth/index.ts'
import { createMcpServer, type RequestExtra } from './create-mcp-server.ts'
import { knowledgeTools } from './knowledge-tools.ts'
import type { McpCaller, McpRooms } from './rooms.ts'
import { type Session, Sessions } from './sessions.ts'

/** One request of a client whose key was looked at already. */
export interface McpHttpRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Parsed; undefined where there is none. */
  readonly body: unknown
  readonly caller: Caller
  readonly language: AnswerLanguage
}

export interface McpHttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Streamable HTTP with answers in JSON. A session belongs to the key that began it. */
export interface McpOverHttp {
  /**
   * @param gone aborted when the client has gone: nothing here changes anything, so nobody waits for what is still running
   * @throws AppError NOT_FOUND for a session that is over, or another key's
   */
  answer(request: McpHttpRequest, gone: AbortSignal): Promise<McpHttpAnswer>
  close(): Promise<void>
}

export function createMcpOverHttp(rooms: McpRooms, now: () => number = () => performance.now()): McpOverHttp {
  const tools = knowledgeTools(rooms)
  const sessions = new Sessions(now)

  async function newSession(keyId: string): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => sessions.add(id, session),
      onsessionclosed: (id) => sessions.end(id)
    })
    const { server } = createMcpServer({ rooms, tools, callerOf })
    const session: Session = { keyId, server, transport, waiting: new Map() }
    await server.connect(transport)
    return session
  }

  return {
    answer: async (request, gone) => {
      const { caller, headers } = request
      const id = [headers['mcp-session-id']].flat()[0]
      const session = id === undefined ? await newSession(caller.credentialId) : sessions.use(id, caller.credentialId)
      if (session === undefined) throw sessionOver()
      const answered = await exchange(session, request, gone)
      // A client that did not introduce itself has got its refusal, and no session.
      if (session.transport.sessionId === undefined) await session.server.close()
      return answered
    },
    close: () => sessions.close()
  }
}

async function exchange(session: Session, request: McpHttpRequest, gone: AbortSignal): Promise<McpHttpAnswer> {
  const { transport, waiting } = session
  const { method, headers, body, caller, language } = request
  const names = ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version']
  const passed = names.flatMap((name) => [headers[name]].flat().map((value) => [name, value] as const))
  const shown = passed.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)
  const asked = new Request('http://mcp.invalid/', { method, headers: new Headers(shown.map(([...pair]) => pair)) })
  const ids = [body].flat().flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []))
  const cancelled = new Promise<undefined>((resolve) => {
    for (const id of ids) waiting.set(id, () => resolve(undefined))
  })
  try {
    const handled = transport.handleRequest(asked, { parsedBody: body, authInfo: authInfo(caller, language, gone) })
    const response = await Promise.race([handled, cancelled])
    // Of several that were sent together the first that is cancelled ends them all; clients send one at a time.
    if (response === undefined) return { status: 202, headers: {}, body: '' }
    const told = { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
    for (const id of cancelledBy(body)) waiting.get(id)?.()
    return told
  } finally {
    for (const id of ids) waiting.delete(id)
  }
}

/** Ids of the requests that a client gives up: the protocol has no answer to them. */
function cancelledBy(body: unknown): readonly (string | number)[] {
  return [body].flat().flatMap((message) => {
    const id = CancelledNotificationSchema.safeParse(message).data?.params.requestId
    return id === undefined ? [] : [id]
  })
}

/** How the SDK hands on who asks, to what answers. */
function authInfo(caller: Caller, language: AnswerLanguage, gone: AbortSignal): AuthInfo {
  return { token: '', clientId: caller.credentialId, scopes: [...caller.scopes], extra: { caller, language, gone } }
}

function callerOf({ authInfo: info, signal }: RequestExtra): McpCaller {
  // Given with each request below; nobody else speaks to these servers.
  const { caller, language, gone } = info!.extra as unknown as Asked
  return { caller, language, signal: AbortSignal.any([signal, gone]) }
}

interface Asked extends Omit<McpCaller, 'signal'> {
  readonly gone: AbortSignal
}

function sessionOver(): AppError {
  const message = 'There is no such MCP session any more; begin another one.'
  return new AppError('NOT_FOUND', { operation: 'find MCP session', message })
}
