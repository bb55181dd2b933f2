import { routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'

/** What tools were called with, and what came of it. */
export function addToolAuditRoutes(host: RouteHost, { toolAudit }: Pick<HttpDependencies, 'toolAudit'>): void {
  addRoute(host, routes.toolCalls, async ({ query }, { caller }) => ({ body: await toolAudit.list(caller, query) }))

  addRoute(host, routes.toolCall, async ({ params }, { caller }) => ({ body: await toolAudit.get(caller, params.id) }))
}
