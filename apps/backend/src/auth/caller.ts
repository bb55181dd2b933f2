import type { ApiScope, Role } from '@oncall-agent/api-contracts'

/** Who asks. Every operation on data takes one; there is no value that means "everybody". */
export interface Caller {
  readonly userId: string
  /** Owner of the caller's own data: the user's id. */
  readonly tenantId: string
  readonly role: Role
  /** `local`: no account exists yet, and the caller is on this machine. */
  readonly via: 'session' | 'api-key' | 'local'
  /** What the key may do; all that the role may do for a person who signed in. */
  readonly scopes: ReadonlySet<ApiScope>
  /** Of the session or the key, to end it or to leave it out when others end. */
  readonly credentialId: string
}
