import type { User } from '@oncall-agent/api-contracts'
import type { Person } from '../../store/index.ts'

/** What may be told of a person. */
export function toUser({ id, username, role, createdAt, disabledAt }: Person): User {
  return { id, username, role, createdAt, disabledAt }
}
