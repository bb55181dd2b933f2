import type { ApiScope, Role } from '@oncall-agent/api-contracts'

const MEMBER: ReadonlySet<ApiScope> = new Set<ApiScope>(['retrieve', 'ingest', 'alerts'])
const ADMIN: ReadonlySet<ApiScope> = new Set<ApiScope>([...MEMBER, 'admin'])

/** All that somebody of this role may do, in person or, at most, with a key. */
export function scopesOfRole(role: Role): ReadonlySet<ApiScope> {
  return role === 'admin' ? ADMIN : MEMBER
}
