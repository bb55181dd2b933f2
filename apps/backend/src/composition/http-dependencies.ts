import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createPromptLibrary, createToolAudit } from '../agent/index.ts'
import type { Caller } from '../auth/index.ts'
import type { HttpDependencies } from '../http/index.ts'
import { mcpOverHttp } from '../mcp/index.ts'
import { modelSettings } from './model-settings.ts'
import { testModel } from './model-settings-trial.ts'
import type { Chat } from './chat.ts'
import type { Observed } from './observe.ts'
import { readiness } from './readiness.ts'
import { searchOf } from './search-of.ts'
import type { Service } from './service.ts'
import { structuredSearchOf } from './structured-search-of.ts'

/** The built page; a checkout whose page was not built serves the API alone. */
const pageDirectory = fileURLToPath(new URL('../../../frontend/dist', import.meta.url))

/** What the server calls, over the rooms of this process. */
export function httpDependencies(
  observed: Observed,
  { auth, knowledge, store, toolServers }: Service,
  chat: Chat
): HttpDependencies {
  const { parts, metrics } = observed
  const { logger, version, settings } = parts
  const retrieve = retrieveFor(observed, auth)
  const search = structuredSearchFor(observed, auth)
  const toolAudit = createToolAudit({ store })
  return {
    logger,
    version,
    auth,
    knowledge,
    retrieve,
    findRun: (caller, runId) => store.runs.find(caller.tenantId, runId),
    search,
    toolAudit,
    toolServers,
    mcp: mcpOverHttp({ retrieve, search: search.ask, knowledge, record: toolAudit.record, logger, version }),
    prompts: createPromptLibrary({ store, now: Date.now }),
    models: { list: () => modelSettings(parts), test: (asked) => testModel(parts, asked) },
    conversations: chat.conversations,
    onStream: chat.onStream,
    system: systemOf(observed, store, chat),
    metrics,
    idempotentAnswers: store.idempotentAnswers,
    limits: {
      requestsPerMinute: settings.auth.requestsPerMinute,
      publicOrigin: settings.server.publicOrigin,
      ...(existsSync(pageDirectory) ? { pageDirectory } : {})
    }
  }
}

function retrieveFor({ parts, tracing, onStage }: Observed, auth: Service['auth']): HttpDependencies['retrieve'] {
  return (caller, request, signal) =>
    tracing.span('retrieve', {}, async () => {
      const { tenantId, userId } = caller
      const started = performance.now()
      const search = await searchOf(parts, onStage)
      const answer = await search.toolFor({ tenantId, userId, readable: await auth.readableBy(caller) })(
        request,
        signal
      )
      const tookMs = Math.round((performance.now() - started) * 10) / 10
      parts.logger.info({ runId: answer.runId, results: answer.results.length, tookMs }, 'retrieved')
      return answer
    })
}

function structuredSearchFor(
  { parts, tracing, searchMeasures }: Observed,
  auth: Service['auth']
): HttpDependencies['search'] {
  const room = () => structuredSearchOf(parts, searchMeasures)
  const readerOf = async (caller: Caller) => {
    const { tenantId, userId } = caller
    return { tenantId, userId, readable: await auth.readableBy(caller) }
  }
  return {
    ask: (caller, request, asked) =>
      tracing.span('search', {}, async () => {
        const started = performance.now()
        const answer = await (await room()).searchFor(await readerOf(caller))(request, asked)
        const tookMs = Math.round((performance.now() - started) * 10) / 10
        const { status, total, search_id: searchId } = answer
        searchMeasures.onAnswered(status)
        parts.logger.info({ searchId, status, total, tookMs }, 'searched')
        return answer
      }),
    giveFeedback: async (caller, feedback) => (await room()).giveFeedback(caller, feedback),
    feedbackSummary: async (caller) => {
      const whose = caller.role === 'admin' && caller.scopes.has('admin') ? 'everybody' : 'own'
      return (await room()).feedbackSummary(await readerOf(caller), whose)
    }
  }
}

function systemOf({ parts }: Observed, store: Service['store'], { modelState }: Chat): HttpDependencies['system'] {
  const startedAt = performance.now()
  return {
    readiness: () => readiness(parts, modelState),
    summary: async () => {
      const { model, dimension } = parts.embedder.fingerprint
      const index = await parts.index.get()
      const { documents, chunks, bytesOnDisk } = await index.size()
      return {
        version: parts.version,
        uptimeSeconds: Math.round(performance.now() - startedAt) / 1_000,
        jobs: await store.jobs.counts(Date.now()),
        index: { engine: index.engine, documents, chunks, bytesOnDisk, embedder: model, dimension }
      }
    },
    jobs: (query) => store.jobs.list(query)
  }
}
