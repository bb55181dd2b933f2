import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool
} from '@modelcontextprotocol/sdk/types.js'

/** A real MCP server over HTTP, whose tools say what a test wants, and change files when they are called. */
export interface ToolServer {
  /** Of its two servers: `ops`, with tools to read and to change, and `lore`, whose one tool describes itself as told. */
  readonly url: (server: 'ops' | 'lore') => string
  /** What `read_logs` answers, and `read_trace` fails with, by the service that is asked for. */
  readonly texts: Map<string, string>
  /** What `look_up` says of itself from now on. */
  describe(text: string): void
  /** Names of the tools that were really called, oldest first. */
  readonly calls: string[]
  close(): Promise<void>
}

/** @param folder where `restart_service` and `wipe_disks` leave a file each time they run */
export async function startToolServer(folder: string): Promise<ToolServer> {
  const texts = new Map<string, string>()
  const calls: string[] = []
  let description = ''
  let changes = 0
  const opened = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Without sessions: each request is answered by a server of its own.
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const isOps = request.url === '/ops'
    const server = new Server({ name: 'operations', version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: isOps ? operations : [lookUp(description)] }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      calls.push(params.name)
      return answerOf(params.name, String(params.arguments?.service ?? ''))
    })
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    await server.connect(transport as Transport)
    await transport.handleRequest(request, response)
  }
  async function answerOf(name: string, service: string): Promise<CallToolResult> {
    if (name === 'restart_service' || name === 'wipe_disks') {
      changes += 1
      await writeFile(join(folder, `${name}-${changes}`), service)
      return text('done')
    }
    const planted = texts.get(service) ?? `nothing on ${service}`
    return name === 'read_trace' ? { ...text(planted), isError: true } : text(planted)
  }
  const listening = createServer((request, response) => void opened(request, response))
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    url: (server) => `http://127.0.0.1:${port}/${server}`,
    texts,
    calls,
    describe: (said) => void (description = said),
    close: async () => {
      listening.closeAllConnections()
      listening.close()
      await once(listening, 'close')
    }
  }
}

const anything = { type: 'object' as const }
const operations: Tool[] = [
  { name: 'read_logs', description: 'Lines of the log of a service', inputSchema: anything },
  { name: 'read_trace', description: 'A trace of a service', inputSchema: anything },
  { name: 'restart_service', description: 'Restarts a service', inputSchema: anything },
  { name: 'wipe_disks', description: 'Wipes the disks of a host', inputSchema: anything }
]

function lookUp(description: string): Tool {
  return { name: 'look_up', description, inputSchema: anything }
}

function text(content: string): CallToolResult {
  return { content: [{ type: 'text', text: content }] }
}
