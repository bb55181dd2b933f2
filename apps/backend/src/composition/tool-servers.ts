import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { createToolServers, type ToolServers } from '../agent/index.ts'
import { programEnvironment } from '../config/index.ts'
import type { BusinessStore } from '../store/index.ts'
import type { Parts } from './parts.ts'

/** Beside the facts, unless the settings say otherwise: a backup of the facts does not hold it. */
const KEY_FILE = 'mcp.key'

/** The tool servers that people have configured; nothing is started before its first use. Close it with the service. */
export function openToolServers(
  { settings, logger, dataDirectory, version }: Parts,
  store: BusinessStore
): ToolServers {
  const { secretKey, keyFile, connectTimeoutMs, maxServers } = settings.mcp
  return createToolServers({
    store,
    key: { given: secretKey, file: keyFile === '' ? join(dataDirectory, KEY_FILE) : resolve(keyFile) },
    version,
    connectTimeoutMs,
    maxServers,
    environment: programEnvironment(),
    cwd: homedir(),
    log: {
      failed: (serverId, reason, lastWords) =>
        logger.warn({ serverId, reason, ...(lastWords === '' ? {} : { lastWords }) }, 'a tool server does not do well')
    }
  })
}
