import { createToolAudit } from '../agent/index.ts'
import { type Caller, LOCAL_TENANT } from '../auth/index.ts'
import { environmentLanguage } from '../config/index.ts'
import { createKnowledgeService } from '../knowledge/index.ts'
import { type McpRooms, type McpStreams, serveOverStdio } from '../mcp/index.ts'
import { expectData } from './data-folder.ts'
import type { Parts } from './parts.ts'
import { searchOf } from './search-of.ts'
import { openAuth, openKnowledge } from './service.ts'
import { structuredSearchOf } from './structured-search-of.ts'

/** Whoever starts the program works on the data folder itself, as at the command line. */
const localCaller: Caller = {
  userId: LOCAL_TENANT,
  tenantId: LOCAL_TENANT,
  role: 'member',
  via: 'local',
  scopes: new Set(['retrieve']),
  credentialId: LOCAL_TENANT
}

/** Offers what `oncall index` has put there to one MCP client, until it ends or the signal is aborted. */
export async function serveMcp(parts: Parts, streams: McpStreams, signal: AbortSignal): Promise<void> {
  expectData(parts)
  const { logger, version } = parts
  const room = await openKnowledge(parts, () => undefined)
  try {
    const { store } = room.parts
    const auth = openAuth(parts, store)
    const readerOf = async (caller: Caller) => {
      const { tenantId, userId } = caller
      return { tenantId, userId, readable: await auth.readableBy(caller) }
    }
    const rooms: McpRooms = {
      retrieve: async (caller, request, given) =>
        (await searchOf(parts)).toolFor(await readerOf(caller))(request, given),
      search: async (caller, request, asked) =>
        (await structuredSearchOf(parts)).searchFor(await readerOf(caller))(request, asked),
      knowledge: createKnowledgeService(room.parts),
      record: createToolAudit({ store }).record,
      logger,
      version
    }
    await serveOverStdio(rooms, { caller: localCaller, language: environmentLanguage() }, streams, signal)
  } finally {
    room.close()
  }
}
