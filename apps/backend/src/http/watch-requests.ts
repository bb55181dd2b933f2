import { AppError, routes } from '@oncall-agent/api-contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseForeignNames, refuseForeignPages } from './callers/foreign-pages.ts'
import { createRateLimit, limitRate } from './callers/rate-limit.ts'
import { bearerKeyOf, recogniseCaller } from './callers/recognise-caller.ts'
import type { HttpDependencies } from './dependencies.ts'

/** Asked every few seconds by whatever watches the process; they touch no credentials and no limit. */
const WATCHED = new Set<string>([routes.health.path, routes.ready.path])

/** What happens to every request, of a route or not: who asks, whether from a page of ours, how often; and the count. */
export function watchRequests(server: FastifyInstance, dependencies: HttpDependencies): void {
  const { auth, limits } = dependencies
  const rateLimit = createRateLimit(limits.requestsPerMinute)
  let closing = false
  server.decorateRequest('caller', undefined)

  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    refuseWithoutHost(request)
    const { route } = request.routeOptions.config
    const watched = route !== undefined && WATCHED.has(route.path)
    if (route && !watched) request.caller = await recogniseCaller(auth, request)
    if (!request.caller) refuseForeignNames(request, limits.publicOrigin)
    // No browser sends a key of its own accord.
    if (bearerKeyOf(request) === undefined) refuseForeignPages(request, limits.publicOrigin)
    if (!watched) limitRate(rateLimit, request)
  })

  server.addHook('preClose', async () => {
    closing = true
  })
  server.addHook('onSend', async (_request, reply) => {
    // Else the client would keep the connection, and closing would wait for it.
    if (closing) reply.header('connection', 'close')
  })
  server.addHook('onResponse', async (request, reply) => tellAnswered(dependencies, request, reply))
}

/** HTTP/1.1 asks for it (RFC 9112, 3.2), and what stands before us may have routed by it. */
function refuseWithoutHost({ raw, headers }: FastifyRequest): void {
  if (headers.host !== undefined || raw.httpVersion !== '1.1') return
  throw new AppError('VALIDATION_FAILED', { operation: 'read request', message: 'The request has no Host header.' })
}

function tellAnswered({ logger, metrics }: HttpDependencies, request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions } = request
  const { statusCode: status, elapsedTime } = reply
  const tookMs = Math.round(elapsedTime * 10) / 10
  logger.info({ requestId: request.id, method, route: routeOptions.url, status, tookMs }, 'answered')
  metrics.requestAnswered({ method, route: routeOptions.url ?? 'none', status, seconds: elapsedTime / 1000 })
}
