import { AppError, routes } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'
import type { SignedIn } from '../../auth/index.ts'
import { addRoute, type RouteHost } from '../add-route.ts'
import { callerAddress } from '../callers/caller-address.ts'
import { isLocalCaller } from '../callers/local-callers.ts'
import { endedSessionCookie, sessionCookie, sessionTokenOf } from '../callers/session-cookie.ts'
import type { HttpDependencies } from '../dependencies.ts'

/** Signing in and out, the own password and keys, and the people that administrators see to. */
export function addAccessRoutes(host: RouteHost, dependencies: HttpDependencies): void {
  addSessionRoutes(host, dependencies)
  addKeyRoutes(host, dependencies)
  addUserRoutes(host, dependencies)
}

function addSessionRoutes(host: RouteHost, { auth, limits }: HttpDependencies): void {
  const secure = limits.publicOrigin.startsWith('https:')
  const signedIn = ({ user, token }: SignedIn) => ({
    headers: { 'set-cookie': sessionCookie(token, secure) },
    body: { user, via: 'session' as const, needsFirstAccount: false }
  })

  addRoute(host, routes.bootstrap, async ({ body }, { request }) => {
    refuseElsewhere(request)
    return signedIn(await auth.bootstrap(body))
  })

  addRoute(host, routes.login, async ({ body }, { request }) =>
    signedIn(await auth.login(body, callerAddress(request)))
  )

  addRoute(host, routes.logout, async (_input, { request }) => {
    const token = sessionTokenOf(request.headers.cookie)
    if (token !== undefined) await auth.logout(token)
    return { headers: { 'set-cookie': endedSessionCookie(secure) } }
  })

  addRoute(host, routes.me, async (_input, { caller, request }) => {
    if (caller && caller.via !== 'local')
      return { body: { user: await auth.user(caller), via: caller.via, needsFirstAccount: false } }
    if (isLocalCaller(request) && (await auth.needsFirstAccount()))
      return { body: { user: null, via: 'local' as const, needsFirstAccount: true } }
    throw new AppError('AUTH_REQUIRED', { operation: 'tell who asks' })
  })

  addRoute(host, routes.changePassword, async ({ body }, { caller }) => {
    await auth.changePassword(caller, body)
    return {}
  })
}

function addKeyRoutes(host: RouteHost, { auth }: HttpDependencies): void {
  addRoute(host, routes.createApiKey, async ({ body }, { caller }) => ({ body: await auth.createApiKey(caller, body) }))

  addRoute(host, routes.apiKeys, async ({ query }, { caller }) => ({ body: await auth.apiKeys(caller, query) }))

  addRoute(host, routes.apiKey, async ({ params }, { caller }) => ({ body: await auth.apiKey(caller, params.id) }))

  addRoute(host, routes.revokeApiKey, async ({ params }, { caller }) => {
    await auth.revokeApiKey(caller, params.id)
    return {}
  })
}

function addUserRoutes(host: RouteHost, { auth }: HttpDependencies): void {
  addRoute(host, routes.users, async ({ query }, { caller }) => ({ body: await auth.users(caller, query) }))

  addRoute(host, routes.createUser, async ({ body }, { caller }) => ({ body: await auth.createUser(caller, body) }))

  addRoute(host, routes.changeUser, async ({ params, body }, { caller }) => ({
    body: await auth.changeUser(caller, params.id, body)
  }))
}

/** Whoever makes the first account owns the server, so it takes somebody who sits at it. */
function refuseElsewhere(request: FastifyRequest): void {
  if (isLocalCaller(request)) return
  throw new AppError('AUTH_FORBIDDEN', {
    operation: 'make first account',
    message: 'The first account is made on the machine that runs the server.',
    hint: 'Open http://127.0.0.1 with the port of the server there, or run: oncall user add.'
  })
}
