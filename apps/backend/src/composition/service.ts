import type { ToolServers } from '../agent/index.ts'
import { type Auth, createAuth } from '../auth/index.ts'
import { createJobWorker, type JobEvent, type JobHandler, type JobWorker } from '../jobs/index.ts'
import {
  createDocumentExtractor,
  createDocumentLocks,
  createIndexTaskHandler,
  createKnowledgeService,
  createPurgeDocumentHandler,
  createPurgeKnowledgeBaseHandler,
  type IndexTaskParts,
  type KnowledgeService,
  removeLeftOvers,
  resumePurges
} from '../knowledge/index.ts'
import type { Logger } from '../observability/index.ts'
import type { BusinessStore } from '../store/index.ts'
import { knowledgeSettings } from './knowledge-settings.ts'
import type { Parts } from './parts.ts'
import { openToolServers } from './tool-servers.ts'

/** What people and jobs work with, over one data folder. */
export interface Service {
  readonly store: BusinessStore
  readonly auth: Auth
  readonly knowledge: KnowledgeService
  readonly toolServers: ToolServers
  readonly worker: JobWorker
  /** Stops the worker and ends what it started; jobs that run are handed back. */
  close(): Promise<void>
}

export interface ServiceOptions {
  /** Jobs at once in this process; 0 leaves them to others. */
  readonly workers: number
  readonly onJobEvent: (event: JobEvent) => void
}

/** Opens facts and index: a folder that this version can not serve stops the start, not the first request. */
export async function openService(parts: Parts, { workers, onJobEvent }: ServiceOptions): Promise<Service> {
  const { settings, logger } = parts
  let worker: JobWorker | undefined
  const room = await openKnowledge(parts, () => worker?.wake())
  const { store } = room.parts
  const { leaseMs, keepDays } = settings.jobs
  const { handlers } = room
  const started = createJobWorker({ store, handlers, workers, leaseMs, keepDays, logger, onEvent: onJobEvent })
  worker = started
  const tidying = tidyUp(room.parts, logger)
  const toolServers = openToolServers(parts, store)
  return {
    store,
    auth: openAuth(parts, store),
    knowledge: createKnowledgeService(room.parts),
    toolServers,
    worker: started,
    close: async () => {
      await Promise.all([started.stop(), toolServers.close()])
      await tidying
      room.close()
    }
  }
}

/** Beside the start, not before it: it looks at every document's folder, and nobody waits for what it removes. */
async function tidyUp(parts: IndexTaskParts, logger: Logger): Promise<void> {
  try {
    const removed = await removeLeftOvers(parts)
    if (removed > 0) logger.info({ removed }, 'removed what earlier processes left behind')
    const resumed = await resumePurges(parts)
    if (resumed > 0) logger.info({ resumed }, 'what is left of deleted documents is being taken away again')
  } catch (err) {
    logger.error({ err }, 'what earlier processes left behind could not be removed; the next start tries again')
  }
}

export interface KnowledgeRoom {
  readonly parts: IndexTaskParts
  readonly handlers: readonly JobHandler[]
  close(): void
}

/** @param onEnqueued called when a job was enqueued and is committed */
export async function openKnowledge(parts: Parts, onEnqueued: () => void): Promise<KnowledgeRoom> {
  const { settings, dataDirectory, embedder, tokenCounter } = parts
  const [store, index, searchEngine] = await Promise.all([
    parts.store.get(),
    parts.index.get(),
    parts.searchEngine?.get()
  ])
  const knowledge = knowledgeSettings(settings)
  const extractor = createDocumentExtractor({ limits: knowledge.extraction, tokenCounter })
  const { maxAttempts } = settings.jobs
  const locks = createDocumentLocks()
  const room: IndexTaskParts = {
    store,
    index,
    ...(searchEngine === undefined ? {} : { searchEngine }),
    embedder,
    extractor,
    settings: knowledge,
    dataDirectory,
    locks,
    maxAttempts,
    onEnqueued,
    now: Date.now
  }
  return {
    parts: room,
    handlers: [createIndexTaskHandler(room), createPurgeDocumentHandler(room), createPurgeKnowledgeBaseHandler(room)],
    close: () => extractor.close()
  }
}

export function openAuth({ settings, logger }: Parts, store: BusinessStore): Auth {
  const { sessionHours, loginAttempts, loginWindowMinutes } = settings.auth
  const onUnrecorded = (err: unknown) => logger.warn({ err }, 'the last use of a session or key could not be written')
  return createAuth({ store, sessionHours, loginAttempts, loginWindowMinutes, onUnrecorded })
}
