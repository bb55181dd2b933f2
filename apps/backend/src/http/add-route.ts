import {
  AppError,
  type ErrorCode,
  errorBodySchema,
  errorCatalogue,
  errorsOf,
  type Route
} from '@oncall-agent/api-contracts'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { z } from 'zod'
import { clientSignal } from './client-signal.ts'
import type { RequestContext } from './dependencies.ts'

/** Checked input of a route; `undefined` for what it does not have. */
export interface RouteInput<R extends Route> {
  readonly params: R['params'] extends z.ZodType ? z.output<R['params']> : undefined
  readonly body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
}

export interface RouteAnswer<R extends Route> {
  readonly status?: R['statuses'][number]
  readonly body: R['response'] extends z.ZodType ? z.output<R['response']> : undefined
}

type Answer<R extends Route> = (input: RouteInput<R>, context: RequestContext) => Promise<RouteAnswer<R>>

/** Serves a route of the table: input checked before, output after, errors as the table tells. */
export function addRoute<const R extends Route>(server: FastifyInstance, route: R, answer: Answer<R>): void {
  server.route({
    method: route.method,
    url: route.path,
    schema: {
      summary: route.summary,
      ...(route.params ? { params: route.params } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: responsesOf(route)
    },
    handler: async (request, reply) => {
      const input = { params: request.params, body: request.body } as RouteInput<R>
      const { status, body } = await answer(input, { signal: clientSignal(reply) })
      return reply.code(status ?? route.statuses[0] ?? 200).send(body)
    }
  })
}

/** Answers every other method of the routes' paths with METHOD_NOT_ALLOWED, before any body is read. */
export function refuseOtherMethods(server: FastifyInstance, routes: readonly Route[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const taken = routes.filter((route) => route.path === path).map((route) => route.method)
    const allowed: HTTPMethods[] = taken.includes('GET') ? [...taken, 'HEAD'] : taken
    server.route({
      method: server.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[],
      url: path,
      schema: { hide: true },
      onRequest: async (_request, reply) => {
        reply.header('allow', allowed.join(', '))
        throw new AppError('METHOD_NOT_ALLOWED', { operation: 'find route' })
      },
      handler: () => undefined
    })
  }
}

/** Good answers and errors by status; several codes of one status share its description. */
function responsesOf(route: Route): Record<number, unknown> {
  const responses: Record<number, unknown> = {}
  const codes: readonly ErrorCode[] = errorsOf(route)
  for (const status of new Set(codes.map((code) => errorCatalogue[code].status))) {
    const described = codes.filter((code) => errorCatalogue[code].status === status).join(', ')
    responses[status] = { description: described, content: { 'application/json': { schema: errorBodySchema } } }
  }
  for (const status of route.statuses) {
    responses[status] = { description: route.summary, content: { 'application/json': { schema: route.response } } }
  }
  return responses
}
