import type { ReadablePair } from '@oncall-agent/retrieval'
import type { BusinessStore } from '../../store/index.ts'
import type { Caller } from '../caller.ts'
import { LOCAL_TENANT } from '../local-tenant.ts'

/**
 * What a caller may read: their own knowledge bases and those that others share with them; what `oncall index` fills,
 * for administrators and, while there is no account, for this machine.
 */
export function readableBy(store: BusinessStore, { userId, role, via }: Caller): Promise<readonly ReadablePair[]> {
  const readsFolders = role === 'admin' || via === 'local'
  return store.readers.readableBases(userId, readsFolders ? [LOCAL_TENANT] : [])
}
