import { AppError } from '@oncall-agent/api-contracts'
import type { Caller } from '../caller.ts'

/** @throws AppError AUTH_FORBIDDEN for everybody but administrators and their keys with the scope `admin` */
export function requireAdministrator(caller: Caller, operation: string): void {
  if (caller.role === 'admin' && caller.scopes.has('admin')) return
  throw new AppError('AUTH_FORBIDDEN', {
    operation,
    subject: caller.credentialId,
    message: 'Only an administrator may do this.'
  })
}
