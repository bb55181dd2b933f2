import { AppError, routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'

/** Questions, and what is kept of them. */
export function addRetrievalRoutes(host: RouteHost, { retrieve, findRun }: HttpDependencies): void {
  addRoute(host, routes.retrieve, async ({ body }, { caller, signal }) => ({
    body: await retrieve(caller, body, signal)
  }))

  addRoute(host, routes.retrievalRun, async ({ params }, { caller }) => {
    const run = await findRun(caller, params.runId)
    if (!run) throw new AppError('NOT_FOUND', { operation: 'read retrieval run', subject: params.runId })
    return { body: run }
  })
}
