import { routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { apiDescription } from '../description/describe-api.ts'
import { HTML_POLICY } from '../description/html.ts'
import type { OpenApiDescription } from '../description/openapi.ts'
import { referencePage } from '../description/reference-page.ts'
import { pageHeaders } from '../page/answer-page.ts'

/** Health, the description in both forms, measurements, and the state of the background work. */
export function addSystemRoutes(host: RouteHost, { version, system, metrics }: HttpDependencies): void {
  addRoute(host, routes.health, async () => ({ body: { status: 'ok' as const, version } }))

  addRoute(host, routes.ready, async () => {
    const parts = await system.readiness()
    const ready = parts.every((part) => part.ok)
    return { status: ready ? 200 : 503, body: { ready, version, parts } }
  })

  // Made once, when it is first asked for: all routes are there by then, and none comes later.
  let description: OpenApiDescription | undefined
  const described = () => (description ??= apiDescription(host.server))
  let reference: string | undefined

  addRoute(host, routes.openapi, async () => ({ body: { ...described() } }))

  addRoute(host, routes.docs, async () => ({
    headers: { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(HTML_POLICY) },
    body: (reference ??= referencePage(described()))
  }))

  addRoute(host, routes.metrics, async () => ({
    headers: { 'content-type': metrics.contentType },
    body: await metrics.text()
  }))

  addRoute(host, routes.systemSummary, async () => ({ body: await system.summary() }))

  addRoute(host, routes.jobs, async ({ query }) => ({ body: await system.jobs(query) }))
}
