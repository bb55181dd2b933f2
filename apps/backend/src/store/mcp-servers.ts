import { invalidInput, type McpServer, type Page, type ToolPermission } from '@oncall-agent/api-contracts'
import type { Kysely, Selectable } from 'kysely'
import type { BusinessSchema } from './schema.ts'
import type { PageRequest } from './sequence-page.ts'

/** A tool server of one person, as it is configured. */
export interface StoredMcpServer {
  readonly id: string
  readonly tenantId: string
  readonly name: string
  readonly connection: McpServer['connection']
  /** Sealed with a key that the facts do not hold; null when there are no secrets. */
  readonly sealedSecrets: string | null
  /** Sorted; known also where the key is lost. */
  readonly secretNames: readonly string[]
  readonly allowedTools: readonly StoredAllowedTool[]
  readonly enabled: boolean
  /** Of one call, milliseconds. */
  readonly timeoutMs: number
  readonly createdAt: number
  readonly updatedAt: number
}

export interface StoredAllowedTool {
  readonly name: string
  readonly permission: ToolPermission
  /** Hash of what the server said of the tool when it was allowed; null until that was seen once. */
  readonly definition: string | null
}

/** Nothing here asks who may: whoever calls has looked. Names are a tenant's own. */
export interface McpServerFacts {
  /** Undefined when it is another tenant's. */
  find(tenantId: string, serverId: string): Promise<StoredMcpServer | undefined>
  /** By name. */
  list(tenantId: string, page: PageRequest): Promise<Page<StoredMcpServer>>
  /** Those that the agent may use, by name. */
  enabled(tenantId: string): Promise<readonly StoredMcpServer[]>
  /** The id of the tenant's server that has the name. */
  named(tenantId: string, name: string): Promise<string | undefined>
  count(tenantId: string): Promise<number>
  /** The name must be free (`named`). */
  insert(server: StoredMcpServer): Promise<void>
  /** Writes all but the ids and the creation time. A new name must be free. */
  replace(server: StoredMcpServer): Promise<void>
  /** Keeps what was seen of allowed tools; tools whose definition is known already stay as they are. */
  pin(tenantId: string, serverId: string, definitions: ReadonlyMap<string, string>): Promise<void>
  /** With its secrets. False when the tenant has no such server. */
  remove(tenantId: string, serverId: string): Promise<boolean>
}

export function mcpServerFacts(database: Kysely<BusinessSchema>): McpServerFacts {
  return {
    find: (tenantId, serverId) => findServer(database, tenantId, serverId),
    list: (tenantId, page) => listServers(database, tenantId, page),
    enabled: (tenantId) => enabledServers(database, tenantId),
    named: (tenantId, name) => serverNamed(database, tenantId, name),
    count: (tenantId) => countServers(database, tenantId),
    insert: async (server) => {
      const { id, tenantId, createdAt } = server
      const row = { id, tenant_id: tenantId, created_at: createdAt, ...changeableOf(server) }
      await database.insertInto('mcp_server').values(row).execute()
    },
    replace: async (server) => {
      await ofTenant(database, server.tenantId, server.id).set(changeableOf(server)).execute()
    },
    pin: (tenantId, serverId, definitions) =>
      database.isTransaction
        ? pinTools(database, { tenantId, serverId }, definitions)
        : database.transaction().execute((open) => pinTools(open, { tenantId, serverId }, definitions)),
    remove: (tenantId, serverId) => removeServer(database, tenantId, serverId)
  }
}

interface StoredSettings {
  readonly connection: McpServer['connection']
  readonly secretNames: readonly string[]
}

function serverOf(row: Selectable<BusinessSchema['mcp_server']>): StoredMcpServer {
  const { connection, secretNames } = JSON.parse(row.settings_json) as StoredSettings
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    connection,
    sealedSecrets: row.secrets_encrypted,
    secretNames,
    allowedTools: JSON.parse(row.allowed_tools_json) as readonly StoredAllowedTool[],
    enabled: row.enabled === 1,
    timeoutMs: row.timeout_ms,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

function changeableOf(server: StoredMcpServer) {
  const { connection, secretNames } = server
  const settings: StoredSettings = { connection, secretNames }
  return {
    name: server.name,
    transport: connection.transport,
    settings_json: JSON.stringify(settings),
    secrets_encrypted: server.sealedSecrets,
    allowed_tools_json: JSON.stringify(server.allowedTools),
    enabled: server.enabled ? 1 : 0,
    timeout_ms: server.timeoutMs,
    updated_at: server.updatedAt
  }
}

function ofTenant(database: Kysely<BusinessSchema>, tenantId: string, serverId: string) {
  return database.updateTable('mcp_server').where('tenant_id', '=', tenantId).where('id', '=', serverId)
}

async function findServer(
  database: Kysely<BusinessSchema>,
  tenantId: string,
  serverId: string
): Promise<StoredMcpServer | undefined> {
  const row = await database
    .selectFrom('mcp_server')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', serverId)
    .executeTakeFirst()
  return row === undefined ? undefined : serverOf(row)
}

async function listServers(
  database: Kysely<BusinessSchema>,
  tenantId: string,
  page: PageRequest
): Promise<Page<StoredMcpServer>> {
  const rows = await database
    .selectFrom('mcp_server')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('name', '>', nameBefore(page))
    .orderBy('name')
    .limit(page.limit + 1)
    .execute()
  const shown = rows.slice(0, page.limit)
  const last = rows.length > page.limit ? shown.at(-1) : undefined
  const nextCursor = last === undefined ? null : Buffer.from(last.name).toString('base64url')
  return { items: shown.map(serverOf), nextCursor, total: await countServers(database, tenantId) }
}

/** The list is by name, so the cursor is one. @throws AppError VALIDATION_FAILED when it never came from a page */
function nameBefore({ cursor }: PageRequest): string {
  if (cursor === undefined) return ''
  const name = Buffer.from(cursor, 'base64url').toString()
  if (/^[a-z0-9-]{1,32}$/.test(name)) return name
  const issue = { field: 'cursor', problem: 'must be the nextCursor of a page, as it came' }
  throw invalidInput([issue], { operation: 'read page' })
}

async function enabledServers(database: Kysely<BusinessSchema>, tenantId: string): Promise<readonly StoredMcpServer[]> {
  const rows = await database
    .selectFrom('mcp_server')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('enabled', '=', 1)
    .orderBy('name')
    .execute()
  return rows.map(serverOf)
}

async function serverNamed(
  database: Kysely<BusinessSchema>,
  tenantId: string,
  name: string
): Promise<string | undefined> {
  const row = await database
    .selectFrom('mcp_server')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.id
}

async function countServers(database: Kysely<BusinessSchema>, tenantId: string): Promise<number> {
  const { total } = await database
    .selectFrom('mcp_server')
    .select((count) => count.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return total
}

async function pinTools(
  database: Kysely<BusinessSchema>,
  { tenantId, serverId }: { readonly tenantId: string; readonly serverId: string },
  definitions: ReadonlyMap<string, string>
): Promise<void> {
  const found = await findServer(database, tenantId, serverId)
  if (found === undefined) return
  const pinned = found.allowedTools.map((tool) => ({
    ...tool,
    definition: tool.definition ?? definitions.get(tool.name) ?? null
  }))
  await ofTenant(database, tenantId, serverId)
    .set({ allowed_tools_json: JSON.stringify(pinned) })
    .execute()
}

async function removeServer(database: Kysely<BusinessSchema>, tenantId: string, serverId: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('mcp_server')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', serverId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
