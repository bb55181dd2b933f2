import { routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'

/** Knowledge bases, and who else may read them. */
export function addKnowledgeRoutes(host: RouteHost, { knowledge }: HttpDependencies): void {
  addRoute(host, routes.createKnowledgeBase, async ({ body }, { caller }) => ({
    body: await knowledge.createBase(caller, body)
  }))

  addRoute(host, routes.knowledgeBases, async ({ query }, { caller }) => ({
    body: await knowledge.bases(caller, query)
  }))

  addRoute(host, routes.knowledgeBase, async ({ params }, { caller }) => ({
    body: await knowledge.base(caller, params.id)
  }))

  addRoute(host, routes.changeKnowledgeBase, async ({ params, body }, { caller }) => ({
    body: await knowledge.changeBase(caller, params.id, body)
  }))

  addRoute(host, routes.deleteKnowledgeBase, async ({ params }, { caller }) => {
    await knowledge.deleteBase(caller, params.id)
    return {}
  })

  addRoute(host, routes.readers, async ({ params, query }, { caller }) => ({
    body: await knowledge.readers(caller, params.id, query)
  }))

  addRoute(host, routes.addReader, async ({ params }, { caller }) => ({
    body: await knowledge.addReader(caller, params.id, params.userId)
  }))

  addRoute(host, routes.removeReader, async ({ params }, { caller }) => {
    await knowledge.removeReader(caller, params.id, params.userId)
    return {}
  })
}
