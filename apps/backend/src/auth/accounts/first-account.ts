import { randomUUID } from 'node:crypto'
import { AppError, type Credentials } from '@oncall-agent/api-contracts'
import type { BusinessStore } from '../../store/index.ts'
import type { SignedIn } from '../auth.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { Sessions } from '../sign-in/sessions.ts'
import { oneSpelling } from './one-spelling.ts'

export interface FirstAccount {
  needed(): Promise<boolean>
  /** @throws AppError CONFLICT when there is an account */
  make(account: Credentials): Promise<SignedIn>
}

export interface FirstAccountParts {
  readonly store: BusinessStore
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly clock: () => number
}

export function createFirstAccount({ store, passwords, sessions, clock }: FirstAccountParts): FirstAccount {
  // Accounts are never deleted. While there is none, another process may make one at any time.
  let exists = false
  const needed = async (): Promise<boolean> => {
    exists ||= await store.people.any()
    return !exists
  }
  return {
    needed,
    make: async ({ username, password }) => {
      if (!(await needed())) throw tooLate()
      const passwordHash = await passwords.hash(password)
      return store.transaction(async (tables) => {
        // Asked again under the write lock, where only one of those who race can find none.
        if (await tables.people.any()) throw tooLate()
        const person = {
          id: randomUUID(),
          username: oneSpelling(username),
          passwordHash,
          role: 'admin' as const,
          createdAt: clock(),
          disabledAt: null
        }
        await tables.people.insert(person)
        return sessions.open(tables, person)
      })
    }
  }
}

function tooLate(): AppError {
  return new AppError('CONFLICT', {
    operation: 'make first account',
    message: 'There is an account already.',
    hint: 'Sign in; an administrator adds others.'
  })
}
