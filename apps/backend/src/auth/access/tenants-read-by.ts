import type { Caller } from '../caller.ts'
import { LOCAL_TENANT } from '../local-tenant.ts'

/**
 * Tenants that a caller reads whole, besides the knowledge bases that are shared with them: their own and, for
 * administrators, what `oncall index` fills. While there is no account that is this machine's own.
 */
export function tenantsReadBy({ tenantId, role }: Caller): readonly string[] {
  return role === 'admin' && tenantId !== LOCAL_TENANT ? [tenantId, LOCAL_TENANT] : [tenantId]
}
