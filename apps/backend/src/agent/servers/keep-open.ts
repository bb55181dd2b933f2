import { AppError, type McpHealth } from '@oncall-agent/api-contracts'
import type { StoredMcpServer } from '../../store/index.ts'
import type { Secrets } from '../secrets/server-secrets.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { reasonsOf, withoutSecrets } from './hide-secrets.ts'
import type { ServerConnection } from './open-connection.ts'

/** Milliseconds until a server that has failed is tried again: doubled with each failure, up to the longest. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** A connection with the secrets that it was opened with, for hiding them. */
export interface Opened {
  readonly connection: ServerConnection
  readonly secrets: Secrets
}

/**
 * At most one connection: none → opening → open → none. A program that ends, a failure to open and `letGo` lead to none;
 * `opened` leads away from it, after failures not before their pause is over.
 */
export interface KeptOpen {
  /** @param now whatever the pause. @throws AppError, of the last failure while its pause goes on */
  opened(now: boolean): Promise<Opened>
  letGo(): Promise<void>
  wentWell(message: string): void
  wentWrong(failure: AppError): void
  health(): McpHealth
}

/** @param isUsed whether somebody waits for an answer: a connection that ends otherwise is no failure */
export function keepOpen(server: StoredMcpServer, parts: ConnectionParts, isUsed: () => boolean): KeptOpen {
  let current: Promise<Opened> | undefined
  let failed: { readonly failure: AppError; readonly times: number; readonly retryAt: number } | undefined
  let health: McpHealth = { state: 'unknown', message: '', checkedAt: null, serverName: null, serverVersion: null }

  function wentWrong(failure: AppError): void {
    const times = (failed?.times ?? 0) + 1
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1))
    failed = { failure, times, retryAt: performance.now() + pause }
    health = { ...health, state: 'failed', message: failure.message, checkedAt: Date.now() }
  }

  /** Everybody who comes while it is being opened waits for the same one. */
  function opened(now: boolean): Promise<Opened> {
    if (current !== undefined) return current
    if (failed !== undefined && !now && performance.now() < failed.retryAt) return Promise.reject(failed.failure)
    const mine: Promise<Opened> = open(server, parts, (lastWords) => {
      // One that was let go ends as well, and that is no failure.
      if (current !== mine) return
      current = undefined
      parts.log.failed(server.id, 'the connection has ended', lastWords)
      if (isUsed()) wentWrong(hasEnded(server.name))
    }).then(
      (made) => {
        const { serverName, serverVersion } = made.connection
        health = { state: 'connected', message: '', checkedAt: Date.now(), serverName, serverVersion }
        return made
      },
      (failure: AppError) => {
        if (current === mine) current = undefined
        wentWrong(failure)
        throw failure
      }
    )
    current = mine
    return mine
  }

  return {
    opened,
    letGo: async () => {
      const known = current
      current = undefined
      // What could not be opened has told so to those who wanted it.
      await known?.then(({ connection }) => connection.close()).catch(() => undefined)
    },
    wentWell: (message) => {
      failed = undefined
      health = { ...health, state: 'connected', message, checkedAt: Date.now() }
    },
    wentWrong,
    health: () => health
  }
}

async function open(
  server: StoredMcpServer,
  parts: ConnectionParts,
  onEnded: (lastWords: string) => void
): Promise<Opened> {
  const { openConnection, serverFailure, SilentServer } = await import('./sdk-client.ts')
  const secrets = await parts.unseal(server)
  const { connection, timeoutMs, name: subject } = server
  try {
    const made = await openConnection(
      { connection, secrets, timeoutMs },
      {
        ...parts,
        reachesAnything: () => parts.isOfAdministrator(server),
        onFault: (cause) => parts.log.failed(server.id, reasonsOf(cause, secrets), ''),
        onClosed: (lastWords) => onEnded(withoutSecrets(lastWords, secrets))
      }
    )
    return { connection: made, secrets }
  } catch (cause) {
    const lastWords = cause instanceof SilentServer ? cause.lastWords : ''
    parts.log.failed(server.id, reasonsOf(cause, secrets), withoutSecrets(lastWords, secrets))
    throw serverFailure(cause, { operation: 'connect to tool server', subject, limitMs: parts.connectTimeoutMs })
  }
}

function hasEnded(subject: string): AppError {
  return new AppError('SYSTEM_UNAVAILABLE', {
    operation: 'use tool server',
    subject,
    message: 'The tool server has ended; the next use starts it again.'
  })
}
