import { AppError, type Route } from '@oncall-agent/api-contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { z } from 'zod'
import type { Caller } from '../auth/index.ts'
import { admitCaller } from './callers/admit-caller.ts'
import { clientSignal } from './client-signal.ts'
import type { HttpAuth } from './dependencies.ts'
import { responsesOf } from './description/responses-of.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who shows credentials that work, or is admitted without; set before any handler runs. */
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    readonly route?: Route
  }
}

type Checked<R extends Route, Key extends 'params' | 'query' | 'body'> =
  R extends Record<Key, infer Schema> ? (Schema extends z.ZodType ? z.output<Schema> : undefined) : undefined

/** Checked input of a route; `undefined` for what it does not have. */
export interface RouteInput<R extends Route> {
  readonly params: Checked<R, 'params'>
  readonly query: Checked<R, 'query'>
  readonly body: Checked<R, 'body'>
}

/** A schema's value, anything that can be sent for `bytes`, nothing for no content. */
export interface RouteAnswer<R extends Route> {
  readonly status?: R['statuses'][number] | 304
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: R extends { readonly response: infer Schema extends z.ZodType } ? z.output<Schema> : unknown
}

/** What a request binds besides its input. */
export interface RouteContext<R extends Route> {
  readonly caller: R['access'] extends 'anyone' ? Caller | undefined : Caller
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  readonly request: FastifyRequest
}

type Answer<R extends Route> = (input: RouteInput<R>, context: RouteContext<R>) => Promise<RouteAnswer<R>>

/** What the routes are added to. */
export interface RouteHost {
  readonly server: FastifyInstance
  readonly auth: HttpAuth
}

/** Serves a route of the table: who may call it and its input are checked before, the answer's shape after. */
export function addRoute<const R extends Route>({ server, auth }: RouteHost, route: R, answer: Answer<R>): void {
  server.route({
    method: route.method,
    url: route.path,
    config: { route },
    schema: {
      summary: route.summary,
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: responsesOf(route)
    },
    onRequest: async (request) => {
      request.caller = await admitCaller(auth, route, request)
    },
    handler: async (request, reply) => {
      const { params, query, body, caller } = request
      const context = { caller, signal: clientSignal(reply), request } as RouteContext<R>
      return sendAnswer(route, await answer({ params, query, body } as RouteInput<R>, context), reply)
    }
  })
}

function sendAnswer(route: Route, answer: RouteAnswer<Route>, reply: FastifyReply): FastifyReply {
  reply.code(answer.status ?? route.statuses[0] ?? 200).headers(answer.headers ?? {})
  return reply.send(answer.body)
}

/** Answers every other method of the routes' paths with METHOD_NOT_ALLOWED, before any body is read. */
export function refuseOtherMethods(server: FastifyInstance, routes: readonly Route[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const taken: HTTPMethods[] = routes.filter((route) => route.path === path).map((route) => route.method)
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
