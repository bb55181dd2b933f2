import type { Kysely } from 'kysely'
import type { Person } from './people.ts'
import { personOf } from './people.ts'
import type { BusinessSchema } from './schema.ts'

/** Somebody is signed in on one browser. */
export interface StoredSession {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

export interface SessionUse {
  readonly session: StoredSession
  readonly person: Person
}

export interface SessionFacts {
  insert(session: StoredSession, tokenHash: string): Promise<void>
  /** The session of that token with its person, expired and disabled ones too. */
  find(tokenHash: string): Promise<SessionUse | undefined>
  /** Keeps a session that is used from expiring; one that has ended stays so. */
  seen(sessionId: string, lastSeenAt: number, expiresAt: number): Promise<void>
  end(tokenHash: string): Promise<void>
  /** Ends every session of a person, except one. */
  endAllOf(userId: string, exceptId?: string): Promise<void>
  /** Forgets sessions that expired at `now` or before, at most `limit` of them. */
  purge(now: number, limit: number): Promise<void>
}

export function sessionFacts(database: Kysely<BusinessSchema>): SessionFacts {
  return {
    insert: (session, tokenHash) => insertSession(database, session, tokenHash),
    find: (tokenHash) => findSession(database, tokenHash),
    seen: (sessionId, lastSeenAt, expiresAt) => markSeen(database, { sessionId, lastSeenAt, expiresAt }),
    end: async (tokenHash) => {
      await database.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
    },
    endAllOf: (userId, exceptId) => endAllOf(database, userId, exceptId),
    purge: (now, limit) => purgeSessions(database, now, limit)
  }
}

async function insertSession(
  database: Kysely<BusinessSchema>,
  session: StoredSession,
  tokenHash: string
): Promise<void> {
  await database
    .insertInto('session')
    .values({
      id: session.id,
      token_hash: tokenHash,
      user_id: session.userId,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt
    })
    .execute()
}

async function findSession(database: Kysely<BusinessSchema>, tokenHash: string): Promise<SessionUse | undefined> {
  const row = await database
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .selectAll('user')
    .select([
      'session.id as session_id',
      'session.created_at as session_created_at',
      'session.last_seen_at',
      'session.expires_at'
    ])
    .where('session.token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    session: {
      id: row.session_id,
      userId: row.id,
      createdAt: row.session_created_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at
    },
    person: personOf(row)
  }
}

async function markSeen(
  database: Kysely<BusinessSchema>,
  use: { readonly sessionId: string; readonly lastSeenAt: number; readonly expiresAt: number }
): Promise<void> {
  await database
    .updateTable('session')
    .set({ last_seen_at: use.lastSeenAt, expires_at: use.expiresAt })
    .where('id', '=', use.sessionId)
    .execute()
}

async function endAllOf(database: Kysely<BusinessSchema>, userId: string, exceptId = ''): Promise<void> {
  await database.deleteFrom('session').where('user_id', '=', userId).where('id', '!=', exceptId).execute()
}

async function purgeSessions(database: Kysely<BusinessSchema>, now: number, limit: number): Promise<void> {
  await database
    .deleteFrom('session')
    .where('id', 'in', (expired) =>
      expired.selectFrom('session').select('id').where('expires_at', '<=', now).orderBy('expires_at').limit(limit)
    )
    .execute()
}
