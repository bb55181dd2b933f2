import type { BusinessStore, StoredAllowedTool, StoredMcpServer } from '../../store/index.ts'
import type { AgentTool } from '../tools/agent-tool.ts'
import type { ListedTool } from './list-tools.ts'

/** Keeps what a server says of the tools that were allowed by their name alone, the first time that it is seen. */
export async function pinSeen(
  { mcpServers }: Pick<BusinessStore, 'mcpServers'>,
  { id, tenantId, allowedTools }: StoredMcpServer,
  seen: readonly ListedTool[]
): Promise<void> {
  const unseen = new Set(allowedTools.filter(({ definition }) => definition === null).map(({ name }) => name))
  const found = seen.filter(({ name }) => unseen.has(name))
  if (found.length === 0) return
  await mcpServers.pin(tenantId, id, new Map(found.map(({ name, definition }) => [name, definition])))
}

/** Whether a tool is not the one any more that somebody allowed, whatever its name. */
export function isChanged({ definition }: StoredAllowedTool, now: ListedTool): boolean {
  return definition !== null && definition !== now.definition
}

/** How a tool may be called as it is now: of one that has changed a person looks at each call. */
export function permissionNow(allowed: StoredAllowedTool, now: ListedTool): AgentTool['permission'] {
  return isChanged(allowed, now) ? 'ask' : allowed.permission
}
