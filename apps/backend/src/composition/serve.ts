import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AppError } from '@oncall-agent/api-contracts'
import type { HttpDependencies } from '../http/index.ts'
import { createMetrics } from '../observability/index.ts'
import type { Parts } from './parts.ts'
import { readiness } from './readiness.ts'
import { searchOf } from './search-of.ts'
import { openService, type Service } from './service.ts'

/** The built page; a checkout whose page was not built serves the API alone. */
const pageDirectory = fileURLToPath(new URL('../../../frontend/dist', import.meta.url))

/** Serves the API, the page and the jobs until the signal is aborted. */
export async function serve(parts: Parts, signal: AbortSignal, onListening: (address: string) => void): Promise<void> {
  // The server's code is loaded only here, for every other command would pay for it with nothing in return.
  const [{ createHttpServer }, service] = await Promise.all([
    import('../http/index.ts'),
    openService(parts, { workers: parts.settings.jobs.workers })
  ])
  try {
    const server = await createHttpServer(httpDependencies(parts, service))
    try {
      const { host, port } = parts.settings.server
      onListening(await server.listen({ host, port }).catch(explainListening(parts)))
      service.worker.start()
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      await server.close()
    }
  } finally {
    await service.close()
  }
}

/** Works on jobs alone, beside a server or without one. */
export async function work(parts: Parts, signal: AbortSignal, onReady: () => void): Promise<void> {
  const service = await openService(parts, { workers: Math.max(1, parts.settings.jobs.workers) })
  try {
    service.worker.start()
    onReady()
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await service.close()
  }
}

function httpDependencies(parts: Parts, { auth, knowledge, store }: Service): HttpDependencies {
  const { logger, version, settings } = parts
  const startedAt = process.hrtime.bigint()
  return {
    logger,
    version,
    auth,
    knowledge,
    retrieve: async (caller, request, signal) => {
      const { tenantId, userId } = caller
      const search = await searchOf(parts)
      return search.toolFor({ tenantId, userId, readable: await auth.readableBy(caller) })(request, signal)
    },
    findRun: (caller, runId) => store.runs.find(caller.tenantId, runId),
    system: {
      readiness: () => readiness(parts),
      summary: async () => {
        const { model, dimension } = parts.embedder.fingerprint
        const index = await parts.index.get()
        const { documents, chunks, bytesOnDisk } = await index.size()
        return {
          version,
          uptimeSeconds: Number((process.hrtime.bigint() - startedAt) / 1_000_000n) / 1_000,
          jobs: await store.jobs.counts(Date.now()),
          index: { engine: index.engine, documents, chunks, bytesOnDisk, embedder: model, dimension }
        }
      },
      jobs: (_caller, query) => store.jobs.list(query)
    },
    metrics: createMetrics(),
    idempotentAnswers: store.idempotentAnswers,
    limits: {
      requestsPerMinute: settings.auth.requestsPerMinute,
      publicOrigin: settings.server.publicOrigin,
      ...(existsSync(pageDirectory) ? { pageDirectory } : {})
    }
  }
}

/** Addresses that can not be had, in words: all of them are settings. */
function explainListening({ settings: { server } }: Parts) {
  return (cause: unknown): never => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const reason = code === 'EADDRINUSE' ? 'is in use by another process' : 'can not be listened on'
    throw new AppError('CONFIG_INVALID', {
      operation: 'listen',
      subject: `${server.host}:${server.port}`,
      message: `Port ${server.port} of ${server.host} ${reason}.`,
      hint: 'Stop what uses it, or choose another port: KB_SERVER__PORT=8001 oncall serve.',
      cause
    })
  }
}
