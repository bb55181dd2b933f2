import { AppError, routes } from '@oncall-agent/api-contracts'
import type { FastifyInstance } from 'fastify'
import { addRoute } from './add-route.ts'
import type { HttpDependencies } from './dependencies.ts'

/** The routes of the table, each with the one call that answers it. */
export function addRoutes(server: FastifyInstance, dependencies: HttpDependencies): void {
  const { version } = dependencies

  addRoute(server, routes.health, async () => ({ body: { status: 'ok' as const, version } }))

  addRoute(server, routes.ready, async (_input, context) => {
    const parts = await dependencies.readiness(context)
    const ready = parts.every((part) => part.ok)
    return { status: ready ? 200 : 503, body: { ready, version, parts } }
  })

  addRoute(server, routes.openapi, async () => ({ body: { ...server.swagger() } }))

  addRoute(server, routes.retrieve, async ({ body }, context) => ({
    body: await dependencies.retrieve(body, context)
  }))

  addRoute(server, routes.retrievalRun, async ({ params }, context) => {
    const run = await dependencies.findRun(params.runId, context)
    if (!run) throw new AppError('NOT_FOUND', { operation: 'read retrieval run', subject: params.runId })
    return { body: run }
  })
}
