import { AppError, type Route } from '@oncall-agent/api-contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuseOtherMethods, type RouteHost } from '../add-route.ts'
import { answerLanguage } from '../answer-language.ts'
import { refuseForeignNames, refuseForeignPages } from '../callers/foreign-pages.ts'
import { type Caller, mayCall } from '../../auth/index.ts'
import { clientSignal } from '../client-signal.ts'
import type { HttpDependencies } from '../dependencies.ts'

const access = ['retrieve'] as const

/**
 * Outside the route table: what is said here is JSON-RPC, which the protocol describes and OpenAPI can not. GET is refused,
 * as the protocol lets a server do that sends nothing of its own accord.
 */
const endpoint = (method: 'POST' | 'DELETE'): Route => ({
  method,
  path: '/mcp',
  summary: 'Model Context Protocol over streamable HTTP',
  access,
  statuses: [200],
  errors: []
})

const endpoints = [endpoint('POST'), endpoint('DELETE')]

/** The product's own tools for clients of the Model Context Protocol. */
export function addMcpEndpoint({ server }: RouteHost, { mcp, limits }: HttpDependencies): void {
  for (const route of endpoints) {
    server.route({
      method: route.method,
      url: route.path,
      config: { route },
      schema: { hide: true },
      onRequest: async (request) => admitKey(request, limits.publicOrigin),
      handler: async (request, reply) => {
        const { method, headers, body } = request
        const language = answerLanguage(headers['accept-language'])
        const asked = { method, headers, body, caller: request.caller!, language }
        return sendAnswer(await mcp.answer(asked, clientSignal(reply)), reply)
      }
    })
  }
  refuseOtherMethods(server, endpoints)
  server.addHook('preClose', () => mcp.close())
}

/**
 * Nobody is let in without a key, also not from this machine. Host and Origin are looked at with a key, too: the protocol
 * asks for it, for a page may have been given one.
 * @throws AppError AUTH_REQUIRED, AUTH_FORBIDDEN
 */
function admitKey(request: FastifyRequest, publicOrigin: string): void {
  refuseForeignNames(request, publicOrigin)
  refuseForeignPages(request, publicOrigin)
  if (!isKey(request.caller)) {
    const message = 'This takes an API key with the scope retrieve: Authorization: Bearer <key>.'
    throw new AppError('AUTH_REQUIRED', { operation: 'admit MCP client', message })
  }
  if (mayCall(request.caller, access) === 'yes') return
  const message = 'This needs a key with the scope retrieve.'
  throw new AppError('AUTH_FORBIDDEN', { operation: 'admit MCP client', message })
}

function isKey(caller: Caller | undefined): caller is Caller {
  return caller?.via === 'api-key'
}

function sendAnswer(
  {
    status,
    headers,
    body
  }: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  reply: FastifyReply
): FastifyReply {
  reply.code(status).headers(headers).serializer(String)
  return body === '' ? reply.send() : reply.send(body)
}
