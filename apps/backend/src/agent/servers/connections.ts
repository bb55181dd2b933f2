import { createHash } from 'node:crypto'
import { AppError, type McpHealth } from '@oncall-agent/api-contracts'
import type { StoredMcpServer } from '../../store/index.ts'
import type { ConnectionParts, ServerCall, UseOptions } from './connection-parts.ts'
import { changedMeanwhile, HeldServer } from './held-server.ts'
import type { ToolList } from './list-tools.ts'

/**
 * One connection for each server in this process: opened when it is needed, used by everybody who may, opened anew after
 * it has ended, with longer and longer pauses where that goes on failing, and closed when nobody has needed it for a while.
 * What fails throws AppError SYSTEM_UNAVAILABLE, CONFIG_INVALID or DATA_CORRUPT; what is aborted, the signal's reason.
 */
export interface Connections {
  tools(server: StoredMcpServer, how: UseOptions): Promise<ToolList>
  /** The text of the result. @throws AppError VALIDATION_FAILED when the server refuses the arguments */
  call(server: StoredMcpServer, call: ServerCall, signal: AbortSignal): Promise<string>
  health(server: StoredMcpServer): McpHealth
  /**
   * Closes what belongs to a server that is gone, switched off, or reached in another way now.
   * @param changedAt its `updatedAt`: older configurations are not reached any more. Infinity for one that is gone
   */
  forget(serverId: string, changedAt: number): Promise<void>
  close(): Promise<void>
}

export function createConnections(parts: ConnectionParts): Connections {
  const held = new Map<string, { readonly way: string; readonly server: HeldServer }>()
  /** When each server was changed that is known in another way now, or never again. */
  const changed = new Map<string, number>()
  let closed = false

  /** The one of a server as it is stored now; another way to reach it means another connection. */
  function heldFor(server: StoredMcpServer): HeldServer {
    if (closed) throw new AppError('SYSTEM_UNAVAILABLE', { operation: 'use tool server', subject: server.name })
    const way = wayTo(server)
    const known = held.get(server.id)
    if (known?.way === way) return known.server
    // Who read it before it was changed does not bring its old address and secrets back.
    if (server.updatedAt < (changed.get(server.id) ?? 0)) throw changedMeanwhile(server.name)
    changed.set(server.id, server.updatedAt)
    void known?.server.close()
    const made = new HeldServer(server, parts)
    held.set(server.id, { way, server: made })
    return made
  }

  function knownFor(server: StoredMcpServer): HeldServer | undefined {
    const known = held.get(server.id)
    return known?.way === wayTo(server) ? known.server : undefined
  }

  async function forget(serverId: string, changedAt: number): Promise<void> {
    const known = held.get(serverId)
    changed.set(serverId, Math.max(changedAt, changed.get(serverId) ?? 0))
    held.delete(serverId)
    await known?.server.close()
  }

  return {
    tools: async (server, how) => heldFor(server).tools(how),
    call: async (server, call, signal) => heldFor(server).call(call, signal),
    health: (server) => {
      const health = knownFor(server)?.health ?? UNKNOWN
      return server.enabled ? health : { ...health, state: 'disabled' }
    },
    forget,
    close: async () => {
      closed = true
      await Promise.all([...held.keys()].map((serverId) => forget(serverId, 0)))
    }
  }
}

const UNKNOWN: McpHealth = { state: 'unknown', message: '', checkedAt: null, serverName: null, serverVersion: null }

function wayTo({ connection, sealedSecrets, timeoutMs }: StoredMcpServer): string {
  return createHash('sha256')
    .update(JSON.stringify([connection, sealedSecrets, timeoutMs]))
    .digest('hex')
}
