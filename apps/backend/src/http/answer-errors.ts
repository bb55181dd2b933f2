import { AppError } from '@oncall-agent/api-contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../observability/index.ts'
import { HTML_POLICY } from './description/html.ts'
import { welcomePage } from './description/reference-page.ts'
import { answerPage, pageHeaders } from './page/answer-page.ts'
import type { Page } from './page/load-page.ts'
import { errorBody, translateError } from './translate-error.ts'

/**
 * Every error of every kind gets the one shape: thrown by a room, by the framework, or no route at all. An address
 * without a route may still be one of the page.
 */
export function answerErrors(server: FastifyInstance, logger: Logger, page: Page | undefined): void {
  server.setErrorHandler((thrown, request, reply) => sendError(logger, thrown, request, reply))
  server.setNotFoundHandler((request, reply) => {
    const shown = page ? answerPage(page, request, reply) : answerWelcome(request, reply)
    return shown ?? sendError(logger, new AppError('NOT_FOUND', { operation: 'find route' }), request, reply)
  })
}

/** Also called for what fails before any hook runs, such as an address that cannot be decoded. */
export function sendError(logger: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = translateError(thrown)
  logError(logger, error, request, reply)
  const wait = error.details?.retryAfterSeconds
  return reply
    .code(error.status)
    .headers({
      'x-request-id': request.id,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(typeof wait === 'number' ? { 'retry-after': String(Math.ceil(wait)) } : {}),
      ...(error.status === 401 ? { 'www-authenticate': 'Bearer realm="OncallAgent"' } : {})
    })
    .serializer(JSON.stringify)
    .send(errorBody(error, request.id))
}

/** Without a page the front door at least says where the description is. */
function answerWelcome(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (request.url !== '/' || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
  const html = Buffer.from(welcomePage())
  return reply
    .headers({
      ...pageHeaders(HTML_POLICY),
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(html.length)
    })
    .send(request.method === 'HEAD' ? undefined : html)
}

/** Ours to mend: with the whole chain of causes. The caller's to mend, or nobody there any more: a line. */
function logError(logger: Logger, error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const { code, operation, subject } = error
  const about = { requestId: request.id, code, operation, subject }
  if (reply.raw.destroyed) logger.info(about, 'the client went before the answer')
  else if (error.status >= 500) logger.error({ ...about, err: error }, 'request failed')
  else logger.info({ ...about, reason: error.message }, 'request refused')
}
