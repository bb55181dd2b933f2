import { AppError } from '@oncall-agent/api-contracts'
import type { BusinessStore, StoredMcpServer } from '../../store/index.ts'
import type { AgentTool } from '../tools/agent-tool.ts'
import type { Connections } from './connections.ts'
import { permissionNow, pinSeen } from './pinned-tools.ts'
import { NOT_ADMINISTRATOR, type OfferedTool, stillCallable } from './still-callable.ts'
import { agentToolName } from './tool-name.ts'

export interface ToolsOfServers {
  readonly tools: readonly AgentTool[]
  /** Enabled servers whose tools are left out of this turn, and why, in a sentence that a person may read. */
  readonly unreachable: readonly { readonly name: string; readonly failure: string }[]
}

export interface ToolsForParts {
  readonly store: Pick<BusinessStore, 'mcpServers' | 'people'>
  readonly connections: Connections
}

/**
 * The allowed tools of a person's enabled servers. A server that can not be reached is left out and told; all are asked
 * at once, so that a turn waits for the slowest alone.
 * @throws the signal's reason; AppError of the business store
 */
export async function toolsFor(
  { store, connections }: ToolsForParts,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  signal: AbortSignal
): Promise<ToolsOfServers> {
  const enabled = await store.mcpServers.enabled(tenantId)
  const asked = enabled.filter(({ allowedTools }) => allowedTools.length > 0)
  if (asked.length === 0) return { tools: [], unreachable: [] }
  // Who is no administrator any more has no programs run here any more.
  const mayRun = (await store.people.find(userId))?.role === 'admin'
  const answers = await Promise.all(
    asked.map(async (server) => {
      if (server.connection.transport === 'stdio' && !mayRun) return unreachable(server, NOT_ADMINISTRATOR)
      try {
        return { tools: await toolsOf({ store, connections }, server, { userId, signal }) }
      } catch (thrown) {
        signal.throwIfAborted()
        if (!(thrown instanceof AppError)) throw thrown
        return unreachable(server, thrown.message)
      }
    })
  )
  return {
    tools: onceEach(answers.flatMap((answer) => ('tools' in answer ? answer.tools : []))),
    unreachable: answers.flatMap((answer) => ('tools' in answer ? [] : [answer]))
  }
}

function unreachable({ name }: StoredMcpServer, failure: string) {
  return { name, failure }
}

async function toolsOf(
  { store, connections }: ToolsForParts,
  server: StoredMcpServer,
  { userId, signal }: { readonly userId: string; readonly signal: AbortSignal }
): Promise<readonly AgentTool[]> {
  const { tools } = await connections.tools(server, { signal })
  const listed = new Map(tools.map((tool) => [tool.name, tool]))
  await pinSeen(store, server, tools)
  return server.allowedTools.flatMap((allowed) => {
    const tool = listed.get(allowed.name)
    if (tool === undefined) return []
    const offered: OfferedTool = { server, userId, tool, permission: permissionNow(allowed, tool) }
    return [agentTool({ store, connections }, offered)]
  })
}

function agentTool(parts: ToolsForParts, offered: OfferedTool): AgentTool {
  const { server, tool, permission } = offered
  return {
    name: agentToolName(server.name, tool.name),
    description: tool.description,
    inputSchema: tool.inputSchema,
    permission,
    serverId: server.id,
    call: async (input, { signal }) => {
      const called = { tool: tool.name, input: objectOf(input, tool.name) }
      const now = await stillCallable(parts, offered, signal)
      return { text: await parts.connections.call(now, called, signal) }
    }
  }
}

/** @throws AppError VALIDATION_FAILED */
function objectOf(input: unknown, subject: string): Readonly<Record<string, unknown>> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Record<string, unknown>
  const message = 'The arguments of a tool must be an object.'
  throw new AppError('VALIDATION_FAILED', { operation: 'call tool', subject, message })
}

/** A server can choose names that fall together; the first one has it. */
function onceEach(tools: readonly AgentTool[]): readonly AgentTool[] {
  return [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed()
}
