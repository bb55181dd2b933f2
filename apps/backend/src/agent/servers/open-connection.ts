import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  McpError,
  ToolListChangedNotificationSchema
} from '@modelcontextprotocol/sdk/types.js'
import type { McpServer } from '@oncall-agent/api-contracts'
import { boundedFetch } from './bounded-fetch.ts'
import { FAULTS_LIMIT, NAME_LENGTH, shownText } from './bounds.ts'
import { listTools, type ToolList } from './list-tools.ts'
import { programTransport } from './program-transport.ts'
import { SilentServer } from './silent-server.ts'

/** Milliseconds for which a list of tools counts; a server that says when its list changes is asked anew then. */
const LIST_KEPT_MS = 60_000
/** Milliseconds beyond the limit of the first request, which fails by itself where it is the late one. */
const GRACE_MS = 500
/** Milliseconds to tell a server that its session is over. */
const END_WAIT_MS = 1_000

/** A server with all that is needed to reach it. */
export interface ReachableServer {
  readonly connection: McpServer['connection']
  readonly secrets: Readonly<Record<string, string>>
  /** Of one call, milliseconds. */
  readonly timeoutMs: number
}

export interface OpenOptions {
  readonly version: string
  /** Milliseconds until the server has introduced itself, and for its list of tools. */
  readonly connectTimeoutMs: number
  /** What programs see of this process's environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Folder that programs run in. */
  readonly cwd: string
  /** Whether its person is an administrator now: a server at an address of this machine is theirs alone. */
  readonly reachesAnything: () => Promise<boolean>
  /** Told once, when it is over, by whomever; with the end of the program's standard error. */
  readonly onClosed: (lastWords: string) => void
  /** What the server did wrong without ending. */
  readonly onFault: (cause: Error) => void
}

/** An open connection. Its calls throw what the SDK throws; `serverFailure` translates. */
export interface ServerConnection {
  /** What the server calls itself; nobody has checked it. */
  readonly serverName: string | null
  readonly serverVersion: string | null
  tools(): Promise<ToolList>
  /** Aborted or out of time, the server is told that nobody waits any more. */
  call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallToolResult>
  close(): Promise<void>
}

/** @throws what keeps the server from introducing itself within the limit; nothing is left open then */
export async function openConnection(server: ReachableServer, options: OpenOptions): Promise<ServerConnection> {
  const { transport, lastWords } = transportOf(server, options)
  const client = new Client({ name: 'oncall-agent', version: options.version }, { capabilities: {} })
  let faults = 0
  const onerror = (cause: Error): void => {
    faults += 1
    if (faults <= FAULTS_LIMIT) options.onFault(cause)
    // Each is a line of the log and some of our time; a server has no right to more.
    if (faults === FAULTS_LIMIT) void client.close()
  }
  Object.assign(client, { onerror })
  let list: { readonly at: number; readonly tools: Promise<ToolList> } | undefined
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    list = undefined
  })
  try {
    await withinLimit(client.connect(transport, { timeout: options.connectTimeoutMs }), options.connectTimeoutMs)
  } catch (cause) {
    await transport.close()
    const words = lastWords()
    throw words === '' ? cause : new SilentServer(cause, words)
  }
  Object.assign(client, { onclose: () => options.onClosed(lastWords()) })
  const { name, version } = client.getServerVersion() ?? {}
  return {
    serverName: name === undefined ? null : shownText(name, NAME_LENGTH),
    serverVersion: version === undefined ? null : shownText(version, NAME_LENGTH),
    tools: () => {
      if (list !== undefined && performance.now() - list.at < LIST_KEPT_MS) return list.tools
      const tools = listTools(client, options.connectTimeoutMs)
      const asked = { at: performance.now(), tools }
      list = asked
      tools.catch(() => {
        if (list === asked) list = undefined
      })
      return tools
    },
    call: (tool, input, signal) =>
      client.request({ method: 'tools/call', params: { name: tool, arguments: { ...input } } }, CallToolResultSchema, {
        signal,
        timeout: server.timeoutMs,
        maxTotalTimeout: server.timeoutMs,
        resetTimeoutOnProgress: false
      }),
    close: () => closeConnection(client, transport)
  }
}

/** The protocol's own limit is of the first request; the word that follows it can be kept waiting, too. */
async function withinLimit(connected: Promise<void>, limitMs: number): Promise<void> {
  const waiting = new AbortController()
  const late = delay(limitMs + GRACE_MS, undefined, { signal: waiting.signal }).then(() => {
    throw new McpError(ErrorCode.RequestTimeout, 'the connection was not ready in time')
  })
  try {
    await Promise.race([connected, late])
  } finally {
    late.catch(() => undefined)
    waiting.abort()
  }
}

/** A server that is gone already, or that does not answer, needs no word of its session's end. */
async function closeConnection(client: Client, transport: Transport): Promise<void> {
  if (transport instanceof StreamableHTTPClientTransport) {
    const ended = transport.terminateSession().catch(() => undefined)
    await Promise.race([ended, delay(END_WAIT_MS, undefined, { ref: false })])
  }
  await client.close()
}

interface OpenTransport {
  readonly transport: Transport
  readonly lastWords: () => string
}

function transportOf({ connection, secrets, timeoutMs }: ReachableServer, options: OpenOptions): OpenTransport {
  if (connection.transport === 'stdio') {
    const { command, args, env } = connection
    const program = { command, args, env: { ...options.environment, ...env, ...secrets }, cwd: options.cwd }
    const transport = programTransport(program)
    return { transport, lastWords: transport.lastWords }
  }
  const headers = { ...connection.headers, ...secrets }
  const transport = new StreamableHTTPClientTransport(new URL(connection.url), {
    requestInit: { headers },
    fetch: boundedFetch(Math.max(timeoutMs, options.connectTimeoutMs), options.reachesAnything)
  })
  // The SDK's class says `string | undefined` where its own interface says that the field may be absent.
  return { transport: transport as Transport, lastWords: () => '' }
}
