import type { McpTemplate } from '@oncall-agent/api-contracts'
import type { BusinessStore } from '../../store/index.ts'
import type { SealingKeySource } from '../secrets/sealing-key.ts'
import { createServerSecrets } from '../secrets/server-secrets.ts'
import type { ConnectionLog } from './connection-parts.ts'
import { createConnections } from './connections.ts'
import { type ManagedServers, managedServers } from './manage-servers.ts'
import { mcpTemplates } from './templates.ts'
import { toolsFor, type ToolsOfServers } from './tools-for.ts'

export interface ToolServersOptions {
  readonly store: BusinessStore
  readonly key: SealingKeySource
  readonly version: string
  /** Milliseconds until a server has introduced itself, and for its list of tools. */
  readonly connectTimeoutMs: number
  /** Of one person. */
  readonly maxServers: number
  /** What programs see of this process's environment: nothing of ours. */
  readonly environment: Readonly<Record<string, string>>
  /** Folder that programs run in. */
  readonly cwd: string
  readonly log: ConnectionLog
  /** Milliseconds without a call after which a connection is closed. */
  readonly idleMs?: number
  readonly now?: () => number
}

/** The tool servers of everybody, as one process reaches them. */
export interface ToolServers extends ManagedServers {
  readonly templates: readonly McpTemplate[]
  /**
   * The tools that a person's servers give to one turn.
   * @throws the signal's reason; AppError of the business store
   */
  toolsFor(caller: { readonly tenantId: string; readonly userId: string }, signal: AbortSignal): Promise<ToolsOfServers>
  /** Ends every connection and every program. */
  close(): Promise<void>
}

const IDLE_MS = 600_000

/** Nothing is opened or started before its first use. */
export function createToolServers(options: ToolServersOptions): ToolServers {
  const { store, key, maxServers, idleMs = IDLE_MS, now = Date.now, ...reaching } = options
  const secrets = createServerSecrets(key)
  const connections = createConnections({
    ...reaching,
    idleMs,
    isOfAdministrator: async ({ tenantId }) => (await store.people.find(tenantId))?.role === 'admin',
    unseal: (server) => secrets.unseal(server.sealedSecrets, server)
  })
  return {
    ...managedServers({ store, secrets, connections, maxServers, now }),
    templates: mcpTemplates,
    toolsFor: (caller, signal) => toolsFor({ store, connections }, caller, signal),
    close: () => connections.close()
  }
}
