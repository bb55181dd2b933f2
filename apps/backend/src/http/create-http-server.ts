import { routes } from '@oncall-agent/api-contracts'
import fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { refuseOtherMethods } from './add-route.ts'
import { addRoutes } from './areas/index.ts'
import { answerBrokenHttp } from './answer-broken-http.ts'
import { answerErrors, sendError } from './answer-errors.ts'
import { acceptBodies } from './bodies/accept-bodies.ts'
import { validateInput } from './bodies/validate-input.ts'
import type { HttpDependencies } from './dependencies.ts'
import { describeApi } from './description/describe-api.ts'
import { loadPage } from './page/load-page.ts'
import { requestIdOf } from './request-id.ts'
import { watchRequests } from './watch-requests.ts'

/** Milliseconds to send a whole request in: 20 files of 20 MiB at 5 Mbit/s. One that stalls is cut much sooner. */
const REQUEST_TIMEOUT_MS = 900_000
/** Milliseconds to send the headers in. */
const HEADERS_TIMEOUT_MS = 30_000
/** Characters of a part of an address: all that Node lets in. How long an id may be is the contracts' to say. */
const ADDRESS_PART_LIMIT = 16_384

/**
 * The HTTP interface, not listening yet: `listen({ host, port })` of what is returned starts it, `close()` answers what
 * is running, takes nothing new and resolves. Everything it can do is in the route table of api-contracts.
 * @throws AppError CONFIG_INVALID when the page's folder holds none
 */
export async function createHttpServer(dependencies: HttpDependencies): Promise<FastifyInstance> {
  const { logger, auth, limits, version } = dependencies
  const page = limits.pageDirectory === undefined ? undefined : loadPage(limits.pageDirectory)
  const server: FastifyInstance = fastify({
    genReqId: requestIdOf,
    requestIdHeader: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: ADDRESS_PART_LIMIT },
    // A request without a Host is refused by watchRequests: Node's own refusal is empty.
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    // A request that arrives on an open connection while closing is answered, not refused in another shape.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(logger, error, request, reply),
    clientErrorHandler: answerBrokenHttp
  })
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); Node's own refusal, 417, is empty.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.setValidatorCompiler(validateInput)
  server.setSerializerCompiler(serializerCompiler)
  acceptBodies(server)
  answerErrors(server, logger, page)
  watchRequests(server, dependencies)
  await describeApi(server, version)
  addRoutes({ server, auth }, dependencies)
  refuseOtherMethods(server, Object.values(routes))
  await server.ready()
  return server
}
