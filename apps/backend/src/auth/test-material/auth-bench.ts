import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BusinessStore, openBusinessStore } from '../../store/index.ts'
import { type Auth, type AuthOptions, createAuth } from '../index.ts'

/** Auth over a real file in a folder of its own, at a time that the test sets. */
export interface AuthBench {
  readonly directory: string
  readonly store: BusinessStore
  readonly auth: Auth
  /** What `onUnrecorded` was told. */
  readonly unrecorded: unknown[]
  /** Milliseconds since the epoch. */
  now: number
  /** Another process's view of the same accounts: nothing in memory is shared. */
  another(options?: Partial<AuthOptions>): Auth
  close(): Promise<void>
}

export const HOUR = 3_600_000
export const MINUTE = 60_000
export const PASSWORD = 'correct horse battery'
export const HOME = '192.0.2.7'

/** The least that Argon2 takes, because what it costs is not what most tests are about. */
export const CHEAP = { memoryKib: 64, passes: 1, lanes: 1 }

export async function openAuthBench(options: Partial<AuthOptions> = {}): Promise<AuthBench> {
  const directory = await mkdtemp(join(tmpdir(), 'oncall-auth-'))
  const store = openBusinessStore(directory, { busyTimeoutMs: 200 })
  const unrecorded: unknown[] = []
  const create = (given: Partial<AuthOptions>): Auth =>
    createAuth({
      store,
      sessionHours: 2,
      loginAttempts: 3,
      loginWindowMinutes: 15,
      onUnrecorded: (failure) => unrecorded.push(failure),
      clock: () => bench.now,
      passwordCost: CHEAP,
      ...given
    })
  const bench: AuthBench = {
    directory,
    store,
    auth: create(options),
    unrecorded,
    now: Date.UTC(2026, 0, 1),
    another: (given = {}) => create({ ...options, ...given }),
    close: async () => {
      await store.close()
      await rm(directory, { recursive: true, force: true })
    }
  }
  return bench
}

/** The caller of a session that must be there. */
export async function callerOf(auth: Auth, token: string) {
  const caller = await auth.callerOfSession(token)
  if (caller === undefined) throw new Error('the session does not work')
  return caller
}

/** Signs a person in, who is added first if need be, and gives their session and caller. */
export async function signedIn(auth: Auth, username: string, role: 'admin' | 'member' = 'admin') {
  await auth.operator.create({ username, password: PASSWORD, role })
  const { token, user } = await auth.login({ username, password: PASSWORD }, HOME)
  return { token, user, caller: await callerOf(auth, token) }
}
