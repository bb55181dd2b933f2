import { AppError, type Credentials } from '@oncall-agent/api-contracts'
import type { BusinessStore, Person } from '../../store/index.ts'
import { oneSpelling } from '../accounts/one-spelling.ts'
import type { SignedIn } from '../auth.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { LoginLimits } from './login-limits.ts'
import type { Sessions } from './sessions.ts'

export interface SignInParts {
  readonly store: BusinessStore
  readonly passwords: Passwords
  readonly limits: LoginLimits
  readonly sessions: Sessions
}

/**
 * Signs in with a name and a password. Says the same, after the same work, whether the name, the password or the
 * person's permission is what is missing.
 * @throws AppError AUTH_REQUIRED, RATE_LIMITED
 */
export async function signIn(parts: SignInParts, credentials: Credentials, address: string): Promise<SignedIn> {
  const name = oneSpelling(credentials.username)
  const attempt = parts.limits.begin({ name: `sign-in of ${name}`, address })
  try {
    const signedIn = await tryPassword(parts, name, credentials.password)
    attempt.end(signedIn === undefined ? 'failed' : 'succeeded')
    if (signedIn !== undefined) return signedIn
  } catch (thrown) {
    attempt.end('undone')
    throw thrown
  }
  throw new AppError('AUTH_REQUIRED', { operation: 'sign in', message: 'The name or the password is not right.' })
}

/** Undefined when they do not fit. */
async function tryPassword(parts: SignInParts, name: string, password: string): Promise<SignedIn | undefined> {
  const person = await parts.store.people.named(name)
  const { right, outdated } = await parts.passwords.check(password, person?.passwordHash)
  if (person === undefined || !right || person.disabledAt !== null) return undefined
  const rehashed = outdated ? await parts.passwords.hash(password) : undefined
  const signedIn = await openUnlessChanged(parts, person, rehashed)
  if (signedIn !== 'changed') return signedIn
  // Once more: another sign-in may just have hashed the same password anew. A new password does not fit any more.
  const changed = await parts.store.people.find(person.id)
  const again = await parts.passwords.check(password, changed?.passwordHash)
  if (changed === undefined || !again.right || changed.disabledAt !== null) return undefined
  const second = await openUnlessChanged(parts, changed, undefined)
  return second === 'changed' ? undefined : second
}

/** A password that was changed, or a person who was disabled, while it was checked signs nobody in. */
function openUnlessChanged(
  { store, sessions }: SignInParts,
  person: Person,
  rehashed: string | undefined
): Promise<SignedIn | 'changed'> {
  return store.transaction(async (tables) => {
    const current = await tables.people.find(person.id)
    if (current?.disabledAt !== null || current.passwordHash !== person.passwordHash) return 'changed'
    if (rehashed !== undefined) await tables.people.change(person.id, { passwordHash: rehashed })
    return sessions.open(tables, current)
  })
}
