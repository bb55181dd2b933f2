import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

export const RESTART = 'restart_workload'

/** A team's own tool server: it restarts workloads, or would. */
export interface RestartTools {
  readonly url: string
  /** Workloads that it was asked to restart, in order. */
  readonly restarted: readonly string[]
  close(): Promise<void>
}

/** A real MCP server over streamable HTTP, without sessions: each request has a server of its own. */
export async function startRestartTools(): Promise<RestartTools> {
  const restarted: string[] = []
  const listening = createServer(async (request, response) => {
    const server = restartServer(restarted)
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    response.on('close', () => void server.close())
    await server.connect(transport as Transport)
    await transport.handleRequest(request, response)
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`,
    restarted,
    close: async () => {
      listening.closeAllConnections()
      listening.close()
      await once(listening, 'close')
    }
  }
}

function restartServer(restarted: string[]): Server {
  const server = new Server({ name: 'cluster tools', version: '1.0.0' }, { capabilities: { tools: {} } })
  const workload = { type: 'string' }
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      {
        name: RESTART,
        description: 'Restarts one workload, one replica after the other',
        inputSchema: { type: 'object', properties: { workload }, required: ['workload'] }
      }
    ]
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const name = String(params.arguments?.workload)
    restarted.push(name)
    return { content: [{ type: 'text', text: `${name}: 3 of 3 replicas ready, ticket OPS-${restarted.length}7` }] }
  })
  return server
}
