import { AppError } from '@oncall-agent/api-contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../observability/index.ts'
import { errorBody, translateError } from './translate-error.ts'

/** Every error of every kind gets the one shape: thrown by a room, by the framework, or no route at all. */
export function answerErrors(server: FastifyInstance, logger: Logger): void {
  server.setErrorHandler((thrown, request, reply) => sendError(logger, thrown, request, reply))
  server.setNotFoundHandler((request, reply) =>
    sendError(logger, new AppError('NOT_FOUND', { operation: 'find route' }), request, reply)
  )
}

/** Also called for what fails before any hook runs, such as an address that cannot be decoded. */
export function sendError(logger: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = translateError(thrown)
  logError(logger, error, request, reply)
  return reply
    .code(error.status)
    .headers({ 'x-request-id': request.id, 'content-type': 'application/json; charset=utf-8' })
    .serializer(JSON.stringify)
    .send(errorBody(error, request.id))
}

/** Ours to mend: with the whole chain of causes. The caller's to mend, or nobody there any more: a line. */
function logError(logger: Logger, error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const { code, operation, subject } = error
  const about = { requestId: request.id, code, operation, subject }
  if (reply.raw.destroyed) logger.info(about, 'the client went before the answer')
  else if (error.status >= 500) logger.error({ ...about, err: error }, 'request failed')
  else logger.info({ ...about, reason: error.message }, 'request refused')
}
