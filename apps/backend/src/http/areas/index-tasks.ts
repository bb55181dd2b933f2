import { routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'

/** Attempts to index documents. */
export function addIndexTaskRoutes(host: RouteHost, { knowledge }: HttpDependencies): void {
  addRoute(host, routes.createIndexTask, async ({ params }, { caller }) => ({
    body: await knowledge.createTask(caller, params.id)
  }))

  addRoute(host, routes.knowledgeBaseTasks, async ({ params, query }, { caller }) => ({
    body: await knowledge.baseTasks(caller, params.id, query)
  }))

  addRoute(host, routes.documentTasks, async ({ params, query }, { caller }) => ({
    body: await knowledge.documentTasks(caller, params.id, query)
  }))

  addRoute(host, routes.indexTask, async ({ params }, { caller }) => ({
    body: await knowledge.task(caller, params.id)
  }))

  addRoute(host, routes.retryIndexTask, async ({ params }, { caller }) => ({
    body: await knowledge.retryTask(caller, params.id)
  }))

  addRoute(host, routes.cancelIndexTask, async ({ params }, { caller }) => ({
    body: await knowledge.cancelTask(caller, params.id)
  }))
}
