import type { RouteAccess } from '@oncall-agent/api-contracts'
import type { Caller } from '../caller.ts'

/** `sign-in`: not before signing in (AUTH_REQUIRED). `forbidden`: not this caller (AUTH_FORBIDDEN). */
export type Permission = 'yes' | 'sign-in' | 'forbidden'

/**
 * Whether a route takes a caller; undefined is somebody who showed no session or key that works. What the route then
 * gives is decided by whose data it is. Whom a server admits without either, it decides by the connection.
 */
export function mayCall(caller: Caller | undefined, access: RouteAccess): Permission {
  if (access === 'anyone') return 'yes'
  if (caller === undefined) return 'sign-in'
  if (access === 'person') return caller.via === 'session' ? 'yes' : 'forbidden'
  const allowed = access.some((scope) => caller.scopes.has(scope) && (scope !== 'admin' || caller.role === 'admin'))
  return allowed ? 'yes' : 'forbidden'
}
