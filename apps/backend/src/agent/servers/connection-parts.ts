import type { StoredMcpServer } from '../../store/index.ts'
import type { Secrets } from '../secrets/server-secrets.ts'
import type { OpenOptions } from './open-connection.ts'

/** What connections are made with. */
export interface ConnectionParts extends Omit<OpenOptions, 'onClosed' | 'onFault' | 'reachesAnything'> {
  readonly isOfAdministrator: (server: StoredMcpServer) => Promise<boolean>
  readonly unseal: (server: StoredMcpServer) => Promise<Secrets>
  /** Milliseconds without a call after which a connection is closed. */
  readonly idleMs: number
  readonly log: ConnectionLog
}

/** What happens to connections, for the log; nothing of it holds a secret that the server was given. */
export interface ConnectionLog {
  /** @param lastWords how a program's standard error ends */
  failed(serverId: string, reason: string, lastWords: string): void
}

export interface ServerCall {
  /** As the server calls it. */
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface UseOptions {
  readonly signal: AbortSignal
  /** Now, whatever the pause after failures; over a new connection where nobody uses the old one. */
  readonly anew?: boolean
}
