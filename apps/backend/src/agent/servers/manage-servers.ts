import { randomUUID } from 'node:crypto'
import {
  AppError,
  invalidInput,
  MCP_VALUES_LIMIT,
  type McpCheck,
  type McpServer,
  type McpServerChange,
  type NewMcpServer,
  type Page
} from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type {
  BusinessStore,
  BusinessTables,
  PageRequest,
  StoredAllowedTool,
  StoredMcpServer
} from '../../store/index.ts'
import type { Secrets, ServerSecrets } from '../secrets/server-secrets.ts'
import type { Connections } from './connections.ts'
import { isChanged, pinSeen } from './pinned-tools.ts'

export interface ManageParts {
  readonly store: BusinessStore
  readonly secrets: ServerSecrets
  readonly connections: Connections
  /** Of one person. */
  readonly maxServers: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** What people do with their own tool servers. An id of somebody else's is NOT_FOUND. */
export interface ManagedServers {
  list(caller: Caller, page: PageRequest): Promise<Page<McpServer>>
  show(caller: Caller, serverId: string): Promise<McpServer>
  /** @throws AppError AUTH_FORBIDDEN for a program of this machine, of who is no administrator; CONFLICT */
  create(caller: Caller, server: NewMcpServer): Promise<McpServer>
  /** @throws AppError as `create` */
  change(caller: Caller, serverId: string, change: McpServerChange): Promise<McpServer>
  /** Also of who may not change it any more. */
  remove(caller: Caller, serverId: string): Promise<void>
  /** Connects now, and tells how that went: a server that can not be reached is no error of the caller's. */
  check(caller: Caller, serverId: string, signal: AbortSignal): Promise<McpCheck>
}

export function managedServers(parts: ManageParts): ManagedServers {
  const { store, connections } = parts
  const own = async (caller: Caller, serverId: string) => ownServer(store, caller, serverId)
  return {
    list: async (caller, page) => {
      const { items, ...rest } = await store.mcpServers.list(caller.tenantId, page)
      return { ...rest, items: items.map((server) => shown(server, connections)) }
    },
    show: async (caller, serverId) => shown(await own(caller, serverId), connections),
    create: (caller, server) => createServer(parts, caller, server),
    change: (caller, serverId, change) => changeServer(parts, caller, serverId, change),
    remove: async (caller, serverId) => {
      if (!(await store.mcpServers.remove(caller.tenantId, serverId))) throw notFound(serverId)
      await connections.forget(serverId, Infinity)
    },
    check: async (caller, serverId, signal) => checkServer(parts, caller, await own(caller, serverId), signal)
  }
}

async function createServer(parts: ManageParts, caller: Caller, given: NewMcpServer): Promise<McpServer> {
  expectMayRun(caller, given.connection)
  const { store, secrets, connections, maxServers, now } = parts
  const { tenantId } = caller
  const id = randomUUID()
  const { secrets: values, allowedTools, ...fields } = given
  const at = now()
  const server: StoredMcpServer = {
    ...fields,
    id,
    tenantId,
    sealedSecrets: await secrets.seal(values, { id, tenantId }),
    secretNames: Object.keys(values).toSorted(),
    allowedTools: allowed(allowedTools, { allowedTools: [] }),
    createdAt: at,
    updatedAt: at
  }
  await store.transaction(async (tables) => {
    await expectFree(tables, server)
    if ((await tables.mcpServers.count(tenantId)) >= maxServers) throw tooMany(maxServers)
    await tables.mcpServers.insert(server)
  })
  return shown(server, connections)
}

async function changeServer(
  parts: ManageParts,
  caller: Caller,
  serverId: string,
  change: McpServerChange
): Promise<McpServer> {
  const { store, connections, now } = parts
  const before = await ownServer(store, caller, serverId)
  expectMayRun(caller, before.connection)
  if (change.connection !== undefined) expectMayRun(caller, change.connection)
  const { secrets: changedSecrets, allowedTools, ...fields } = change
  const sealed = changedSecrets === undefined ? {} : await changeSecrets(parts, before, changedSecrets)
  const changed = await store.transaction(async (tables) => {
    // Read again under the write lock, so that of two changes at once neither undoes the other.
    const current = await tables.mcpServers.find(caller.tenantId, serverId)
    if (current === undefined) throw notFound(serverId)
    if (changedSecrets !== undefined && current.sealedSecrets !== before.sealedSecrets) throw changedMeanwhile(serverId)
    const tools = allowedTools && allowed(allowedTools, current)
    const after: StoredMcpServer = {
      ...current,
      ...withoutUndefined(fields),
      ...sealed,
      ...(tools === undefined ? {} : { allowedTools: tools }),
      // Later than before by every clock: connections are those of the latest.
      updatedAt: Math.max(now(), current.updatedAt + 1)
    }
    await expectFree(tables, after)
    await tables.mcpServers.replace(after)
    return after
  })
  if (!changed.enabled || change.connection !== undefined || changedSecrets !== undefined)
    await connections.forget(serverId, changed.updatedAt)
  return shown(changed, connections)
}

/**
 * Only what a person was shown, and says so, takes the place of what they allowed: the list is sent whole for each choice,
 * and what a server says by now has perhaps been seen by nobody. What is new counts as it is seen first.
 */
function allowed(
  tools: NewMcpServer['allowedTools'],
  { allowedTools }: Pick<StoredMcpServer, 'allowedTools'>
): readonly StoredAllowedTool[] {
  const before = new Map(allowedTools.map(({ name, definition }) => [name, definition]))
  return tools.map(({ name, permission, definition }) => ({
    name,
    permission,
    definition: definition ?? before.get(name) ?? null
  }))
}

/** Secrets that are all given anew, or all taken away, need no key that may be lost. */
async function changeSecrets(
  { secrets }: ManageParts,
  before: StoredMcpServer,
  change: NonNullable<McpServerChange['secrets']>
): Promise<Pick<StoredMcpServer, 'sealedSecrets' | 'secretNames'>> {
  const isKept = before.secretNames.some((name) => !Object.hasOwn(change, name))
  const kept = isKept ? await secrets.unseal(before.sealedSecrets, before) : {}
  const after = Object.entries({ ...kept, ...change }).filter((entry): entry is [string, string] => entry[1] !== null)
  const values: Secrets = Object.fromEntries(after)
  if (after.length > MCP_VALUES_LIMIT) {
    const issue = { field: 'secrets', problem: `must have at most ${MCP_VALUES_LIMIT} with those that are kept` }
    throw invalidInput([issue], { operation: 'change tool server' })
  }
  return { sealedSecrets: await secrets.seal(values, before), secretNames: Object.keys(values).toSorted() }
}

async function checkServer(
  { store, connections }: ManageParts,
  caller: Caller,
  server: StoredMcpServer,
  signal: AbortSignal
): Promise<McpCheck> {
  expectMayRun(caller, server.connection)
  const started = performance.now()
  const list = await connections.tools(server, { signal, anew: true }).catch((thrown: unknown) => {
    signal.throwIfAborted()
    if (!(thrown instanceof AppError)) throw thrown
    return undefined
  })
  const health = connections.health({ ...server, enabled: true })
  // Of one that is switched off nothing goes on running.
  if (!server.enabled) await connections.forget(server.id, server.updatedAt)
  const found = list?.tools ?? []
  // A person sees it now, so that this is what they have allowed by its name alone.
  await pinSeen(store, server, found)
  const permitted = new Map(server.allowedTools.map((tool) => [tool.name, tool]))
  const tools = found.map((tool) => {
    const known = permitted.get(tool.name)
    return { ...tool, permission: known?.permission ?? null, changed: known !== undefined && isChanged(known, tool) }
  })
  return { health, tookMs: Math.round(performance.now() - started), tools }
}

function shown(server: StoredMcpServer, connections: Connections): McpServer {
  const { tenantId: _tenant, sealedSecrets: _sealed, allowedTools, ...fields } = server
  const tools = allowedTools.map(({ name, permission }) => ({ name, permission }))
  return { ...fields, allowedTools: tools, health: connections.health(server) }
}

async function ownServer(store: BusinessStore, caller: Caller, serverId: string): Promise<StoredMcpServer> {
  const found = await store.mcpServers.find(caller.tenantId, serverId)
  if (found === undefined) throw notFound(serverId)
  return found
}

/** A program runs with the rights of this process. @throws AppError AUTH_FORBIDDEN */
function expectMayRun({ role, userId }: Caller, { transport }: McpServer['connection']): void {
  if (transport !== 'stdio' || role === 'admin') return
  throw new AppError('AUTH_FORBIDDEN', {
    operation: 'run tool server',
    subject: userId,
    message: 'Only an administrator may have a program of this machine as a tool server.'
  })
}

/** The write lock is held: a name that is free here stays free until the caller has committed. */
async function expectFree({ mcpServers }: BusinessTables, { id, tenantId, name }: StoredMcpServer): Promise<void> {
  const taken = await mcpServers.named(tenantId, name)
  if (taken === undefined || taken === id) return
  const message = `You have a tool server named ${name} already.`
  throw new AppError('CONFLICT', { operation: 'name tool server', subject: taken, message })
}

function tooMany(maxServers: number): AppError {
  const message = `You have as many tool servers as one person may: ${maxServers}.`
  const hint = 'mcp.maxServers is the limit.'
  return new AppError('CONFLICT', { operation: 'add tool server', message, hint })
}

function changedMeanwhile(subject: string): AppError {
  const message = 'Its secrets were changed at the same time; look at it again.'
  return new AppError('CONFLICT', { operation: 'change tool server', subject, message })
}

function notFound(subject: string): AppError {
  return new AppError('NOT_FOUND', { operation: 'find tool server', subject, message: 'There is no such tool server.' })
}

function withoutUndefined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}
