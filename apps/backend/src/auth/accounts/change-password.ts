import { type AppError, invalidInput, type PasswordChange } from '@oncall-agent/api-contracts'
import type { BusinessStore } from '../../store/index.ts'
import { requirePerson } from '../access/require-person.ts'
import type { Caller } from '../caller.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { LoginLimits } from '../sign-in/login-limits.ts'

export interface ChangePasswordParts {
  readonly store: BusinessStore
  readonly passwords: Passwords
  readonly limits: LoginLimits
}

/**
 * Changes the caller's own password; of their sessions only this one stays.
 * @throws AppError VALIDATION_FAILED when the current password is not right, RATE_LIMITED after many of those,
 * AUTH_FORBIDDEN for who has not signed in with a password
 */
export async function changePassword(
  { store, passwords, limits }: ChangePasswordParts,
  caller: Caller,
  { currentPassword, newPassword }: PasswordChange
): Promise<void> {
  requirePerson(caller, 'change password')
  // Whoever has got hold of a session must not find the password out; counted apart from attempts to sign in, which
  // anybody can make in this person's name.
  const attempt = limits.begin({ name: `password of ${caller.userId}` })
  try {
    const person = await store.people.find(caller.userId)
    const { right } = await passwords.check(currentPassword, person?.passwordHash)
    const changed = right && (await replace(await passwords.hash(newPassword), person?.passwordHash))
    attempt.end(changed ? 'succeeded' : 'failed')
    if (changed) return
  } catch (thrown) {
    attempt.end('undone')
    throw thrown
  }
  throw notRight()

  function replace(passwordHash: string, checked: string | undefined): Promise<boolean> {
    return store.transaction(async (tables) => {
      // It may have been changed by somebody else while this one was checked.
      const current = await tables.people.find(caller.userId)
      if (current?.passwordHash !== checked) return false
      await tables.people.change(caller.userId, { passwordHash })
      await tables.sessions.endAllOf(caller.userId, caller.credentialId)
      return true
    })
  }
}

function notRight(): AppError {
  const issue = { field: 'currentPassword', problem: 'is not right' }
  return invalidInput([issue], { operation: 'change password', message: 'The current password is not right.' })
}
