import type { Credentials, Me } from '@oncall-agent/api-contracts'
import type { ReadablePair } from '@oncall-agent/retrieval'
import type { Users } from './accounts/users.ts'
import type { Caller } from './caller.ts'
import type { ApiKeys } from './keys/api-keys.ts'

/** Somebody who has just signed in. */
export interface SignedIn {
  /** The session's secret, for the cookie; told this once. */
  readonly token: string
  /** When the session ends if it is not used, in milliseconds since the epoch. */
  readonly expiresAt: number
  readonly me: Me
}

export interface PasswordReplacement {
  readonly currentPassword: string
  readonly newPassword: string
}

/**
 * Who is who, and what they may do. Besides what is named, every operation throws what the store throws
 * (DATA_LOCKED, STORAGE_FULL, DATA_CORRUPT, SYSTEM_UNAVAILABLE).
 */
export interface Auth {
  /** True while there is no account; costs nothing once there is one. */
  needsFirstAccount(): Promise<boolean>
  /** Makes the first account, an administrator, and signs it in. @throws AppError CONFLICT when there is an account */
  bootstrap(account: Credentials): Promise<SignedIn>
  /**
   * @param address of the peer, as its socket or a proxy that is trusted tells it
   * @throws AppError AUTH_REQUIRED, the same for an unknown name, a wrong password and a disabled person; RATE_LIMITED
   * with `details.retryAfterSeconds`
   */
  login(credentials: Credentials, address: string): Promise<SignedIn>
  /** Ends the session, if there is one. */
  logout(token: string): Promise<void>
  /** Undefined when the token names no session that works. */
  callerOfSession(token: string): Promise<Caller | undefined>
  /** Undefined when it is no key that works. */
  callerOfKey(key: string): Promise<Caller | undefined>
  /** For a request from this machine that shows neither: who it is while there is no account, then undefined. */
  callerOfThisMachine(): Promise<Caller | undefined>
  /** @throws AppError AUTH_REQUIRED when there is no such person any more */
  me(caller: Caller): Promise<Me>
  /** Only this session stays. @throws AppError VALIDATION_FAILED for a wrong current password, RATE_LIMITED, AUTH_FORBIDDEN */
  changePassword(caller: Caller, passwords: PasswordReplacement): Promise<void>
  /** The knowledge bases that a caller may read, each once, no deleted one. */
  readableBy(caller: Caller): Promise<readonly ReadablePair[]>
  readonly keys: ApiKeys
  readonly users: Users
}
