import { randomUUID } from 'node:crypto'
import { type ApiKey, AppError, type NewApiKey } from '@oncall-agent/api-contracts'
import type { BusinessStore, StoredApiKey } from '../../store/index.ts'
import { requirePerson } from '../access/require-person.ts'
import { scopesOfRole } from '../access/scopes-of-role.ts'
import type { Auth } from '../auth.ts'
import type { Caller } from '../caller.ts'
import type { UseRecorder } from '../record-use.ts'
import { isSecret, newSecret, secretHash } from '../secret.ts'

type ApiKeys = Pick<Auth, 'createApiKey' | 'apiKeys' | 'apiKey' | 'revokeApiKey'>

export interface ApiKeyParts {
  readonly store: BusinessStore
  readonly uses: UseRecorder
  readonly clock: () => number
}

/** Tells a key from other secrets, to people and to programs that look for secrets in texts. */
const KEY_MARK = 'oncall_'
/** Characters of a key that are shown: five of the secret tell keys apart, and 38 stay secret. */
const PREFIX_LENGTH = 12

export function createApiKeys({ store, clock }: ApiKeyParts): ApiKeys {
  return {
    createApiKey: async (caller, { name, scopes }) => {
      requirePerson(caller, 'make key')
      refuseBeyondRole(caller, scopes)
      const key = KEY_MARK + newSecret()
      const stored: StoredApiKey = {
        id: randomUUID(),
        userId: caller.userId,
        name,
        scopes,
        prefix: key.slice(0, PREFIX_LENGTH),
        createdAt: clock(),
        lastUsedAt: null
      }
      await store.apiKeys.insert(stored, secretHash(key))
      return { ...toApiKey(stored), key }
    },
    apiKeys: async (caller, page) => {
      requirePerson(caller, 'list keys')
      const keys = await store.apiKeys.list(caller.userId, page)
      return { ...keys, items: keys.items.map(toApiKey) }
    },
    apiKey: async (caller, keyId) => {
      requirePerson(caller, 'find key')
      const key = await store.apiKeys.find(caller.userId, keyId)
      if (key === undefined) throw new AppError('NOT_FOUND', { operation: 'find key', subject: keyId })
      return toApiKey(key)
    },
    revokeApiKey: async (caller, keyId) => {
      requirePerson(caller, 'revoke key')
      if (await store.apiKeys.revoke(caller.userId, keyId, clock())) return
      throw new AppError('NOT_FOUND', { operation: 'revoke key', subject: keyId })
    }
  }
}

/** Undefined when it is no key, one that was revoked, or one of a disabled person. */
export async function callerOfKey({ store, uses }: ApiKeyParts, given: string): Promise<Caller | undefined> {
  if (!given.startsWith(KEY_MARK) || !isSecret(given.slice(KEY_MARK.length))) return undefined
  const use = await store.apiKeys.byHash(secretHash(given))
  if (use === undefined || use.person.disabledAt !== null) return undefined
  const { key, person } = use
  await uses.record(key.lastUsedAt, (now) => store.apiKeys.used(key.id, now))
  // A role that was lost takes from the key what came with it.
  const allowed = scopesOfRole(person.role)
  return {
    userId: person.id,
    tenantId: person.id,
    role: person.role,
    via: 'api-key',
    scopes: new Set(key.scopes.filter((scope) => allowed.has(scope))),
    credentialId: key.id
  }
}

function refuseBeyondRole(caller: Caller, scopes: NewApiKey['scopes']): void {
  const allowed = scopesOfRole(caller.role)
  const refused = scopes.filter((scope) => !allowed.has(scope))
  if (refused.length === 0) return
  throw new AppError('AUTH_FORBIDDEN', {
    operation: 'make key',
    subject: refused.join(', '),
    message: `Only an administrator can make a key with the scope ${refused.join(', ')}.`
  })
}

function toApiKey({ id, name, scopes, prefix, createdAt, lastUsedAt }: StoredApiKey): ApiKey {
  return { id, name, scopes, prefix, createdAt, lastUsedAt }
}
