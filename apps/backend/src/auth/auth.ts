import type {
  ApiKey,
  CreatedApiKey,
  Credentials,
  NewApiKey,
  NewUser,
  Page,
  PasswordChange,
  User,
  UserChange
} from '@oncall-agent/api-contracts'
import type { ReadablePair } from '@oncall-agent/retrieval'
import type { PageRequest } from '../store/index.ts'
import type { Users } from './accounts/users.ts'
import type { Caller } from './caller.ts'

/** Somebody who has just signed in. */
export interface SignedIn {
  readonly user: User
  /** The session's secret, for the cookie; told this once. */
  readonly token: string
  /** When the session ends if it is not used, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * Who is who, and what they may do. Besides what is named, every operation throws what the store throws
 * (DATA_LOCKED, STORAGE_FULL, DATA_CORRUPT, SYSTEM_UNAVAILABLE), and a list VALIDATION_FAILED for a cursor that never
 * came from it.
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
  /** Who the caller is. @throws AppError AUTH_REQUIRED when that is nobody with an account */
  user(caller: Caller): Promise<User>
  /** The knowledge bases that a caller may read, each once, no deleted one. */
  readableBy(caller: Caller): Promise<readonly ReadablePair[]>
  /**
   * Changes the own password; of the caller's sessions only this one stays.
   * @throws AppError VALIDATION_FAILED for a wrong current password, RATE_LIMITED after many, AUTH_FORBIDDEN for a key
   */
  changePassword(caller: Caller, passwords: PasswordChange): Promise<void>

  // The caller's own keys, and no others. Only a person may see to them: AUTH_FORBIDDEN for a key.
  /** @throws AppError AUTH_FORBIDDEN also when somebody who is no administrator asks for the scope `admin` */
  createApiKey(caller: Caller, key: NewApiKey): Promise<CreatedApiKey>
  /** Those that still work, newest first. */
  apiKeys(caller: Caller, page: PageRequest): Promise<Page<ApiKey>>
  /** @throws AppError NOT_FOUND when it is somebody else's, or was revoked */
  apiKey(caller: Caller, keyId: string): Promise<ApiKey>
  /** Ends a key at once. @throws AppError NOT_FOUND as `apiKey` */
  revokeApiKey(caller: Caller, keyId: string): Promise<void>

  // As `operator`, for administrators: AUTH_FORBIDDEN for everybody else.
  users(caller: Caller, page: PageRequest): Promise<Page<User>>
  createUser(caller: Caller, user: NewUser): Promise<User>
  changeUser(caller: Caller, userId: string, change: UserChange): Promise<User>
  /** For who works on the data folder itself, at the command line: there is no caller to be asked. */
  readonly operator: Users
}
