import { AppError } from '@oncall-agent/api-contracts'
import type { BusinessStore, StoredMcpServer } from '../../store/index.ts'
import type { AgentTool } from '../tools/agent-tool.ts'
import type { Connections } from './connections.ts'
import type { ListedTool } from './list-tools.ts'
import { permissionNow } from './pinned-tools.ts'

/** A tool as a turn was given it. */
export interface OfferedTool {
  readonly server: StoredMcpServer
  readonly userId: string
  readonly tool: ListedTool
  readonly permission: AgentTool['permission']
}

/**
 * The server as it is stored now, for a turn goes on for minutes: what its person has taken back, switched off or made
 * stricter meanwhile counts at once, and so does another address or secret.
 * @throws AppError with a sentence for the model when the tool may not be called any more, or not without a person who
 * was not asked; what `Connections.tools` throws
 */
export async function stillCallable(
  {
    store,
    connections
  }: { readonly store: Pick<BusinessStore, 'mcpServers' | 'people'>; readonly connections: Connections },
  { server, userId, tool, permission }: OfferedTool,
  signal: AbortSignal
): Promise<StoredMcpServer> {
  const now = await store.mcpServers.find(server.tenantId, server.id)
  if (now === undefined) throw gone(tool, 'Its person has deleted the tool server.')
  if (!now.enabled) throw gone(tool, 'Its person has switched the tool server off.')
  const allowed = now.allowedTools.find(({ name }) => name === tool.name)
  if (allowed === undefined) throw gone(tool, 'Its person does not allow this tool any more.')
  if (now.connection.transport === 'stdio' && (await store.people.find(userId))?.role !== 'admin')
    throw new AppError('AUTH_FORBIDDEN', { operation: 'call tool', subject: tool.name, message: NOT_ADMINISTRATOR })
  const { tools } = await connections.tools(now, { signal })
  const listed = tools.find(({ name }) => name === tool.name)
  if (listed === undefined) throw gone(tool, 'The tool server does not have this tool any more.')
  // A person was asked where the turn's own permission said so; nobody was where it is only now that one has to be.
  if (permission === 'allow' && permissionNow(allowed, listed) === 'ask') {
    const message =
      'Since this answer began a person has to be asked for each call of this tool; it can be called from the next message on.'
    throw new AppError('AUTH_FORBIDDEN', { operation: 'call tool', subject: tool.name, message })
  }
  return now
}

export const NOT_ADMINISTRATOR = 'Programs of this machine run for administrators only.'

function gone({ name: subject }: ListedTool, message: string): AppError {
  return new AppError('NOT_FOUND', { operation: 'call tool', subject, message })
}
