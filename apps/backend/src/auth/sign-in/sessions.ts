import { randomUUID } from 'node:crypto'
import type { BusinessStore, BusinessTables, Person } from '../../store/index.ts'
import { scopesOfRole } from '../access/scopes-of-role.ts'
import type { Caller } from '../caller.ts'
import { toUser } from '../accounts/to-user.ts'
import type { SignedIn } from '../auth.ts'
import type { UseRecorder } from '../record-use.ts'
import { isSecret, newSecret, secretHash } from '../secret.ts'

export interface Sessions {
  /** Signs a person in. */
  open(tables: BusinessTables, person: Person): Promise<SignedIn>
  end(token: string): Promise<void>
  /** Undefined when the token names no session, one that has expired, or one of a disabled person. */
  callerOf(token: string): Promise<Caller | undefined>
}

export interface SessionParts {
  readonly store: BusinessStore
  readonly uses: UseRecorder
  readonly clock: () => number
  /** How long an unused session lasts. */
  readonly sessionMs: number
}

/** Expired sessions that one sign-in clears away: more than it adds, so they never pile up, and quick. */
const PURGED_AT_ONCE = 100

export function createSessions({ store, uses, clock, sessionMs }: SessionParts): Sessions {
  return {
    open: async (tables, person) => {
      const now = clock()
      const token = newSecret()
      const expiresAt = now + sessionMs
      const session = { id: randomUUID(), userId: person.id, createdAt: now, lastSeenAt: now, expiresAt }
      await tables.sessions.purge(now, PURGED_AT_ONCE)
      await tables.sessions.insert(session, secretHash(token))
      return { user: toUser(person), token, expiresAt }
    },
    end: async (token) => {
      if (isSecret(token)) await store.sessions.end(secretHash(token))
    },
    callerOf: async (token) => {
      if (!isSecret(token)) return undefined
      const use = await store.sessions.find(secretHash(token))
      if (use === undefined || use.session.expiresAt <= clock() || use.person.disabledAt !== null) return undefined
      const { session, person } = use
      await uses.record(session.lastSeenAt, (now) => store.sessions.seen(session.id, now, now + sessionMs))
      return {
        userId: person.id,
        tenantId: person.id,
        role: person.role,
        via: 'session',
        scopes: scopesOfRole(person.role),
        credentialId: session.id
      }
    }
  }
}
