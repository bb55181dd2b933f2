import { routes } from '@oncall-agent/api-contracts'
import fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { refuseOtherMethods } from './add-route.ts'
import { answerBrokenHttp } from './answer-broken-http.ts'
import { answerErrors, sendError } from './answer-errors.ts'
import type { HttpDependencies } from './dependencies.ts'
import { describeApi } from './describe-api.ts'
import { refuseForeignCallers } from './local-callers.ts'
import { requestIdOf } from './request-id.ts'
import { addRoutes } from './routes.ts'
import { validateInput } from './validate-input.ts'

/** Bytes of a request; the largest that makes sense (a long question, some thousand ids) is far below. */
const BODY_LIMIT = 1_048_576
/** Milliseconds to send a whole request in; slower ones only hold a connection. */
const REQUEST_TIMEOUT_MS = 30_000

/**
 * The HTTP interface, not listening yet: `listen({ host, port })` of what is returned starts it, `close()` answers what
 * is running, takes nothing new and resolves. Everything it can do is in the route table of api-contracts.
 */
export async function createHttpServer(dependencies: HttpDependencies): Promise<FastifyInstance> {
  const { logger } = dependencies
  const server: FastifyInstance = fastify({
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A request that arrives on an open connection while closing is answered, not refused in another shape.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(logger, error, request, reply),
    clientErrorHandler: answerBrokenHttp
  })
  server.setValidatorCompiler(validateInput)
  server.setSerializerCompiler(serializerCompiler)
  server.removeContentTypeParser('text/plain')
  answerErrors(server, logger)
  addHooks(server, dependencies)
  await describeApi(server, dependencies.version)
  addRoutes(server, dependencies)
  refuseOtherMethods(server, Object.values(routes))
  await server.ready()
  return server
}

function addHooks(server: FastifyInstance, { logger }: HttpDependencies): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    refuseForeignCallers(request)
  })
  server.addHook('onResponse', async (request, reply) => {
    const tookMs = Math.round(reply.elapsedTime * 10) / 10
    const { method, routeOptions } = request
    logger.info(
      { requestId: request.id, method, route: routeOptions.url, status: reply.statusCode, tookMs },
      'answered'
    )
  })
}
