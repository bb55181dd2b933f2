import { AppError } from '@oncall-agent/api-contracts'
import type { Caller } from '../caller.ts'

/**
 * A key must not make keys or change the password that could end it.
 * @throws AppError AUTH_FORBIDDEN for who has not signed in with a password
 */
export function requirePerson(caller: Caller, operation: string): void {
  if (caller.via === 'session') return
  throw new AppError('AUTH_FORBIDDEN', {
    operation,
    subject: caller.credentialId,
    message: 'This takes a person who has signed in with a password.'
  })
}
