import { AppError, type User } from '@oncall-agent/api-contracts'
import type { BusinessStore } from '../store/index.ts'
import { tenantsReadBy } from './access/tenants-read-by.ts'
import { requireAdministrator } from './access/require-administrator.ts'
import { changePassword } from './accounts/change-password.ts'
import { createFirstAccount } from './accounts/first-account.ts'
import { toUser } from './accounts/to-user.ts'
import { createUsers, type Users } from './accounts/users.ts'
import type { Auth } from './auth.ts'
import type { Caller } from './caller.ts'
import { callerOfKey, createApiKeys } from './keys/api-keys.ts'
import type { Argon2Cost } from './passwords/argon2id.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createUseRecorder } from './record-use.ts'
import { createLoginLimits } from './sign-in/login-limits.ts'
import { createSessions } from './sign-in/sessions.ts'
import { signIn } from './sign-in/sign-in.ts'

export interface AuthOptions {
  readonly store: BusinessStore
  /** An unused session ends after so many hours. */
  readonly sessionHours: number
  /** Failed attempts to sign in from one address within the window; of one name, from all addresses, ten times as many. */
  readonly loginAttempts: number
  readonly loginWindowMinutes: number
  /** Told when the last use of a session or key could not be written; who uses it is let in all the same. */
  readonly onUnrecorded: (failure: unknown) => void
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  /** What hashing a password costs; those hashed at another cost are hashed anew when their owners sign in. */
  readonly passwordCost?: Argon2Cost
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** So many addresses' failures one name may have. */
const ADDRESSES_A_NAME = 10

/** One for each process: attempts to sign in are counted in its memory. */
export function createAuth(options: AuthOptions): Auth {
  const { store, clock = Date.now } = options
  const ofAddress = { attempts: options.loginAttempts, windowMs: options.loginWindowMinutes * MINUTE_MS }
  const ofName = { ...ofAddress, attempts: options.loginAttempts * ADDRESSES_A_NAME }
  const passwords = createPasswords(options.passwordCost)
  const limits = createLoginLimits({ ofName, ofAddress }, clock)
  const uses = createUseRecorder(clock, options.onUnrecorded)
  const sessions = createSessions({ store, uses, clock, sessionMs: options.sessionHours * HOUR_MS })
  const firstAccount = createFirstAccount({ store, passwords, sessions, clock })
  const operator = createUsers({ store, passwords, clock })
  return {
    needsFirstAccount: firstAccount.needed,
    bootstrap: firstAccount.make,
    login: (credentials, address) => signIn({ store, passwords, limits, sessions }, credentials, address),
    logout: sessions.end,
    callerOfSession: sessions.callerOf,
    callerOfKey: (key) => callerOfKey({ store, uses, clock }, key),
    user: (caller) => userOf(store, caller),
    readableBy: (caller) => store.sharing.readableBases({ userId: caller.userId, tenantIds: tenantsReadBy(caller) }),
    changePassword: (caller, given) => changePassword({ store, passwords, limits }, caller, given),
    ...createApiKeys({ store, uses, clock }),
    ...forAdministrators(operator),
    operator
  }
}

function forAdministrators(users: Users): Pick<Auth, 'users' | 'createUser' | 'changeUser'> {
  return {
    users: async (caller, page) => {
      requireAdministrator(caller, 'list users')
      return users.list(page)
    },
    createUser: async (caller, user) => {
      requireAdministrator(caller, 'add user')
      return users.create(user)
    },
    changeUser: async (caller, userId, change) => {
      requireAdministrator(caller, 'change user')
      return users.change(userId, change)
    }
  }
}

async function userOf(store: BusinessStore, { userId }: Caller): Promise<User> {
  const person = await store.people.find(userId)
  if (person === undefined) throw new AppError('AUTH_REQUIRED', { operation: 'tell who asks', subject: userId })
  return toUser(person)
}
