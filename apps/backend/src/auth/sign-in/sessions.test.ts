import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AuthBench,
  callerOf,
  HOME,
  HOUR,
  MINUTE,
  openAuthBench,
  PASSWORD,
  signedIn
} from '../test-material/auth-bench.ts'

let bench: AuthBench

beforeEach(async () => {
  bench = await openAuthBench()
})

afterEach(() => bench.close())

function rows(): Record<string, unknown>[] {
  const raw = new DatabaseSync(join(bench.directory, 'business.db'))
  const all = raw.prepare('SELECT * FROM session ORDER BY created_at').all()
  raw.close()
  return all
}

describe('a session', () => {
  it('tells who its person is: their own tenant, and all scopes of their role', async () => {
    const admin = await signedIn(bench.auth, 'ops')
    expect(admin.caller).toEqual({
      userId: admin.user.id,
      tenantId: admin.user.id,
      role: 'admin',
      via: 'session',
      scopes: new Set(['retrieve', 'ingest', 'alerts', 'admin']),
      credentialId: expect.stringMatching(/^[\da-f-]{36}$/)
    })
    const member = await signedIn(bench.auth, 'dev', 'member')
    expect(member.caller.scopes).toEqual(new Set(['retrieve', 'ingest', 'alerts']))
    expect(await bench.auth.user(member.caller)).toEqual(member.user)
  })

  it('has a token of 256 bits that no other has, and ends unused after its hours, at the millisecond', async () => {
    const { token } = await signedIn(bench.auth, 'ops')
    const other = await bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(other.token).not.toBe(token)
    expect(other.expiresAt).toBe(bench.now + 2 * HOUR)
    bench.now += 2 * HOUR
    expect(await bench.auth.callerOfSession(token)).toBeUndefined()
    bench.now -= 1
    expect(await bench.auth.callerOfSession(token)).toBeDefined()
  })

  it('lasts for as long as it is used', async () => {
    const { token } = await signedIn(bench.auth, 'ops')
    for (let use = 0; use < 5; use += 1) {
      bench.now += 2 * HOUR - 1
      expect(await bench.auth.callerOfSession(token)).toBeDefined()
    }
    bench.now += 2 * HOUR
    expect(await bench.auth.callerOfSession(token)).toBeUndefined()
  })

  it('records its use when the last is a minute ago, and not before', async () => {
    const { token } = await signedIn(bench.auth, 'ops')
    const start = bench.now
    bench.now = start + MINUTE - 1
    await bench.auth.callerOfSession(token)
    expect(rows()[0]).toMatchObject({ last_seen_at: start, expires_at: start + 2 * HOUR })
    bench.now = start + MINUTE
    await bench.auth.callerOfSession(token)
    expect(rows()[0]).toMatchObject({ last_seen_at: start + MINUTE, expires_at: start + MINUTE + 2 * HOUR })
  })

  it('works while its use can not be recorded, tells so, and does not try again within the minute', async () => {
    const { token } = await signedIn(bench.auth, 'ops')
    const other = new DatabaseSync(join(bench.directory, 'business.db'))
    other.exec('BEGIN IMMEDIATE')
    bench.now += MINUTE
    expect(await bench.auth.callerOfSession(token)).toBeDefined()
    expect(await bench.auth.callerOfSession(token)).toBeDefined()
    expect(bench.unrecorded).toEqual([expect.objectContaining({ code: 'DATA_LOCKED' })])
    other.exec('ROLLBACK')
    other.close()
    bench.now += MINUTE
    await bench.auth.callerOfSession(token)
    expect(bench.unrecorded).toHaveLength(1)
    expect(rows()[0]).toMatchObject({ last_seen_at: bench.now })
  })

  it('ends at once by signing out, for every process, and no other does', async () => {
    const { token } = await signedIn(bench.auth, 'ops')
    const other = await bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)
    await bench.auth.logout(token)
    await bench.auth.logout(token)
    expect(await bench.another().callerOfSession(token)).toBeUndefined()
    expect(await bench.another().callerOfSession(other.token)).toBeDefined()
  })

  it.each(['', 'x', 'x'.repeat(43), 'x'.repeat(100_000), "' OR 1=1 --"])(
    'is not had with the token %.20j',
    async (token) => {
      await signedIn(bench.auth, 'ops')
      expect(await bench.auth.callerOfSession(token)).toBeUndefined()
      await bench.auth.logout(token)
      expect(rows()).toHaveLength(1)
    }
  )

  it('is not had with what is stored of it', async () => {
    await signedIn(bench.auth, 'ops')
    const [stored] = rows()
    expect(await bench.auth.callerOfSession(String(stored?.token_hash))).toBeUndefined()
    expect(await bench.auth.callerOfSession(String(stored?.id))).toBeUndefined()
  })

  it('that has expired is cleared away by the next sign-in, a hundred at a time, and no living one', async () => {
    const { user } = await signedIn(bench.auth, 'ops')
    for (let index = 0; index < 120; index += 1) {
      const session = { id: `old-${index}`, userId: user.id, createdAt: 1, lastSeenAt: 1, expiresAt: bench.now - index }
      await bench.store.sessions.insert(session, `hash-${index}`)
    }
    await bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)
    expect(rows()).toHaveLength(20 + 2)
    await bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)
    expect(rows().map(({ expires_at }) => expires_at)).toEqual(Array.from({ length: 3 }, () => bench.now + 2 * HOUR))
  })

  it('of a person who was disabled by other means does not work either', async () => {
    const { token, user } = await signedIn(bench.auth, 'ops')
    await bench.store.people.change(user.id, { disabledAt: bench.now })
    expect(await bench.auth.callerOfSession(token)).toBeUndefined()
  })

  it('has the role that its person has now', async () => {
    const { token, user } = await signedIn(bench.auth, 'ops')
    await bench.store.people.change(user.id, { role: 'member' })
    const caller = await callerOf(bench.auth, token)
    expect(caller.role).toBe('member')
    expect(caller.scopes.has('admin')).toBe(false)
  })
})
