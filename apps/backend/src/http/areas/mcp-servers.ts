import { routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'

/** Tool servers that a person's agent may use. */
export function addMcpServerRoutes(host: RouteHost, { toolServers }: HttpDependencies): void {
  addRoute(host, routes.mcpServers, async ({ query }, { caller }) => ({ body: await toolServers.list(caller, query) }))

  addRoute(host, routes.createMcpServer, async ({ body }, { caller }) => ({
    body: await toolServers.create(caller, body)
  }))

  addRoute(host, routes.mcpTemplates, async () => ({ body: { templates: toolServers.templates } }))

  addRoute(host, routes.mcpServer, async ({ params }, { caller }) => ({
    body: await toolServers.show(caller, params.id)
  }))

  addRoute(host, routes.changeMcpServer, async ({ params, body }, { caller }) => ({
    body: await toolServers.change(caller, params.id, body)
  }))

  addRoute(host, routes.deleteMcpServer, async ({ params }, { caller }) => {
    await toolServers.remove(caller, params.id)
    return {}
  })

  addRoute(host, routes.checkMcpServer, async ({ params }, { caller, signal }) => ({
    body: await toolServers.check(caller, params.id, signal)
  }))
}
