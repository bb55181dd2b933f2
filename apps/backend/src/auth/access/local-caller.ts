import type { Caller } from '../caller.ts'
import { LOCAL_TENANT } from '../local-tenant.ts'

/** Somebody on this machine while there is no account: may search what `oncall index` has filled. */
export const localCaller: Caller = {
  userId: LOCAL_TENANT,
  tenantId: LOCAL_TENANT,
  role: 'member',
  via: 'local',
  scopes: new Set(['retrieve']),
  credentialId: LOCAL_TENANT
}
