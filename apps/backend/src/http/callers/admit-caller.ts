import { AppError, type Route, type RouteAccess } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'
import { type Caller, LOCAL_TENANT, mayCall } from '../../auth/index.ts'
import type { HttpAuth } from '../dependencies.ts'
import { isLocalCaller } from './local-callers.ts'

/** Whoever is on this machine before there is any account: may ask the documents that `oncall index` has read. */
const localCaller: Caller = {
  userId: LOCAL_TENANT,
  tenantId: LOCAL_TENANT,
  role: 'member',
  via: 'local',
  scopes: new Set(['retrieve']),
  credentialId: LOCAL_TENANT
}

/**
 * The caller of a route that not everybody may call, when they may. Looks at headers only: no body is read for somebody
 * who may not send one.
 * @throws AppError AUTH_REQUIRED, AUTH_FORBIDDEN
 */
export async function admitCaller(auth: HttpAuth, route: Route, request: FastifyRequest): Promise<Caller | undefined> {
  const { caller } = request
  const permission = mayCall(caller, route.access)
  if (permission === 'yes') return caller
  if (permission === 'forbidden') throw forbidden(route)
  if (!isLocalCaller(request)) throw signInFirst()
  if (route.local) return localCaller
  if (!(await auth.needsFirstAccount())) throw signInFirst()
  if (isRetrievalAlone(route)) return localCaller
  throw signInFirst('There is no account yet: make the first one, then sign in.')
}

/** Knowledge bases can be read with other scopes too, and belong to accounts. */
function isRetrievalAlone({ access }: Route): boolean {
  return Array.isArray(access) && access.length === 1 && access[0] === 'retrieve'
}

function forbidden({ access }: Route): AppError {
  return new AppError('AUTH_FORBIDDEN', { operation: 'admit caller', message: forbiddenMessage(access) })
}

function forbiddenMessage(access: RouteAccess): string {
  if (typeof access === 'string') return 'Only a person who has signed in may do this, not a key.'
  if (access.includes('admin')) return 'Only an administrator may do this, or a key of one with the scope admin.'
  return `This needs a key with the scope ${access.join(' or ')}.`
}

function signInFirst(message?: string): AppError {
  return new AppError('AUTH_REQUIRED', { operation: 'admit caller', ...(message === undefined ? {} : { message }) })
}
