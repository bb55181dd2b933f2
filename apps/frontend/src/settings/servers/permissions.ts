import type { McpServer, McpTool, ToolPermission } from '@oncall-agent/api-contracts'

type Allowed = McpServer['allowedTools']

/** The tools with one of them allowed, or null for not; the others stay as they are. */
export function permit(allowed: Allowed, name: string, permission: ToolPermission | null): Allowed {
  const rest = allowed.filter((tool) => tool.name !== name)
  if (permission === null) return rest
  // In its place, so that the list does not jump under the hand.
  const at = allowed.findIndex((tool) => tool.name === name)
  return at < 0 ? [...rest, { name, permission }] : allowed.with(at, { name, permission })
}

/** Every tool that is not allowed yet is, and asks each time: nobody lets many run unseen with one press. */
export function permitAll(allowed: Allowed, tools: readonly McpTool[]): Allowed {
  const added = tools.filter(({ name }) => permissionOf(allowed, name) === null)
  return [...allowed, ...added.map(({ name }) => ({ name, permission: 'ask' as const }))]
}

export const permissionOf = (allowed: Allowed, name: string): ToolPermission | null =>
  allowed.find((tool) => tool.name === name)?.permission ?? null

/** Tools that are allowed and that the server no longer has. */
export function missingOf(allowed: Allowed, tools: readonly McpTool[]): Allowed {
  const names = new Set(tools.map(({ name }) => name))
  return allowed.filter(({ name }) => !names.has(name))
}

/** Names of the arguments, as the tool's schema has them. */
export function argumentNames({ inputSchema }: McpTool): readonly string[] {
  const { properties } = inputSchema
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
