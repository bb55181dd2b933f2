import type { McpTool, NewMcpServer, ToolPermission } from '@oncall-agent/api-contracts'

/** Tools with a `definition` are those that the person has just decided about, as they were shown them. */
export type Allowed = NewMcpServer['allowedTools']
type ShownTool = Pick<McpTool, 'name' | 'definition'>

/** The tools with one of them allowed as it is shown; the others stay as they are. */
export function permit(allowed: Allowed, { name, definition }: ShownTool, permission: ToolPermission): Allowed {
  const tool = { name, permission, definition }
  // In its place, so that the list does not jump under the hand.
  const at = allowed.findIndex((each) => each.name === name)
  return at < 0 ? [...allowed, tool] : allowed.with(at, tool)
}

export const forbid = (allowed: Allowed, name: string): Allowed => allowed.filter((tool) => tool.name !== name)

/** Every tool that is not allowed yet is, and asks each time: nobody lets many run unseen with one press. */
export function permitAll(allowed: Allowed, tools: readonly McpTool[]): Allowed {
  const added = tools.filter(({ name }) => permissionOf(allowed, name) === null)
  return [...allowed, ...added.map(({ name, definition }) => ({ name, permission: 'ask' as const, definition }))]
}

export const permissionOf = (allowed: Allowed, name: string): ToolPermission | null =>
  allowed.find((tool) => tool.name === name)?.permission ?? null

/** Tools that are allowed and that the server no longer has. */
export function missingOf(allowed: Allowed, tools: readonly McpTool[]): Allowed {
  const names = new Set(tools.map(({ name }) => name))
  return allowed.filter(({ name }) => !names.has(name))
}

/** The tools of a check once a choice was saved: what was decided about as it is shown has not changed since. */
export function confirmed(tools: readonly McpTool[], saved: Allowed): McpTool[] {
  const definitions = new Map(saved.map(({ name, definition }) => [name, definition]))
  return tools.map((tool) => (definitions.get(tool.name) === tool.definition ? { ...tool, changed: false } : tool))
}

/** Names of the arguments, as the tool's schema has them. */
export function argumentNames({ inputSchema }: McpTool): readonly string[] {
  const { properties } = inputSchema
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
