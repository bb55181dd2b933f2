import { once } from 'node:events'
import type { Server } from 'node:http'
import { AppError } from '@oncall-agent/api-contracts'
import { openChat } from './chat.ts'
import { httpDependencies } from './http-dependencies.ts'
import { observe } from './observe.ts'
import type { Parts } from './parts.ts'
import { openService } from './service.ts'

/** What is under way when the server stops gets so long to come to its end; then its connections are cut. */
const STOP_LIMIT_MS = 20_000

/** Serves the API, the page and the jobs until the signal is aborted. */
export async function serve(
  withoutEyes: Parts,
  signal: AbortSignal,
  onListening: (address: string) => void
): Promise<void> {
  const observed = await observe(withoutEyes)
  const { parts, onJobEvent } = observed
  try {
    // The server's code is loaded only here, for every other command would pay for it with nothing in return.
    const [{ createHttpServer }, service] = await Promise.all([
      import('../http/index.ts'),
      openService(parts, { workers: parts.settings.jobs.workers, onJobEvent })
    ])
    try {
      const chat = openChat(observed, service)
      const openServer = async () => createHttpServer(httpDependencies(observed, service, chat))
      const server = await openServer().catch(async (cause: unknown) => {
        await chat.conversations.close()
        throw cause
      })
      const { host, port } = parts.settings.server
      try {
        onListening(await server.listen({ host, port }).catch(explainListening(parts)))
        service.worker.start()
        void chat.warm()
        if (!signal.aborted) await once(signal, 'abort')
        parts.logger.info('stopping: nothing new is taken, what is under way comes to its end')
      } finally {
        // At once: other processes take up the jobs while answers are still being given here.
        await Promise.all([closeWithin(server, parts), service.worker.stop(), chat.conversations.close()])
      }
    } finally {
      await service.close()
    }
  } finally {
    await observed.close()
  }
}

/** Works on jobs alone, beside a server or without one. */
export async function work(withoutEyes: Parts, signal: AbortSignal, onReady: () => void): Promise<void> {
  const observed = await observe(withoutEyes)
  const { parts, onJobEvent } = observed
  try {
    const service = await openService(parts, { workers: Math.max(1, parts.settings.jobs.workers), onJobEvent })
    try {
      service.worker.start()
      onReady()
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      await service.close()
    }
  } finally {
    await observed.close()
  }
}

interface Closable {
  readonly server: Pick<Server, 'closeAllConnections'>
  close(): PromiseLike<unknown>
}

/** Refuses new connections at once and waits for those that are answered, within the limit. */
async function closeWithin(listening: Closable, { logger }: Parts): Promise<void> {
  const limit = setTimeout(() => {
    logger.warn({ limitMs: STOP_LIMIT_MS }, 'requests are still under way, their connections are cut')
    listening.server.closeAllConnections()
  }, STOP_LIMIT_MS)
  try {
    await listening.close()
  } finally {
    clearTimeout(limit)
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
