import type { ApiScope, Page } from '@oncall-agent/api-contracts'
import type { Kysely, Selectable } from 'kysely'
import { nextSequence } from './next-sequence.ts'
import type { Person } from './people.ts'
import { personOf } from './people.ts'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

/** A key that still works, without the key itself. */
export interface StoredApiKey {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly scopes: readonly ApiScope[]
  /** How the key begins. */
  readonly prefix: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export interface ApiKeyUse {
  readonly key: StoredApiKey
  readonly person: Person
}

/** Revoked keys are kept, for what they did names them, and found by nothing here. */
export interface ApiKeyFacts {
  insert(key: StoredApiKey, keyHash: string): Promise<void>
  /** The key with its owner, a disabled one too. */
  byHash(keyHash: string): Promise<ApiKeyUse | undefined>
  /** Undefined when it is somebody else's. */
  find(userId: string, keyId: string): Promise<StoredApiKey | undefined>
  /** One person's keys, newest first. */
  list(userId: string, page: PageRequest): Promise<Page<StoredApiKey>>
  /** False when this person has no such key. */
  revoke(userId: string, keyId: string, revokedAt: number): Promise<boolean>
  used(keyId: string, lastUsedAt: number): Promise<void>
}

export function apiKeyFacts(database: Kysely<BusinessSchema>): ApiKeyFacts {
  return {
    insert: (key, keyHash) => insertKey(database, key, keyHash),
    byHash: (keyHash) => keyByHash(database, keyHash),
    find: (userId, keyId) => findKey(database, userId, keyId),
    list: (userId, page) => listKeys(database, userId, page),
    revoke: (userId, keyId, revokedAt) => revokeKey(database, { userId, keyId, revokedAt }),
    used: async (keyId, lastUsedAt) => {
      await database.updateTable('api_key').set({ last_used_at: lastUsedAt }).where('id', '=', keyId).execute()
    }
  }
}

type KeyRow = Omit<Selectable<BusinessSchema['api_key']>, 'sequence' | 'key_hash' | 'revoked_at'>

function keyOf(row: KeyRow): StoredApiKey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    scopes: JSON.parse(row.scopes_json) as readonly ApiScope[],
    prefix: row.prefix,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at
  }
}

async function insertKey(database: Kysely<BusinessSchema>, key: StoredApiKey, keyHash: string): Promise<void> {
  await database
    .insertInto('api_key')
    .values({
      id: key.id,
      sequence: nextSequence('api_key'),
      user_id: key.userId,
      name: key.name,
      key_hash: keyHash,
      prefix: key.prefix,
      scopes_json: JSON.stringify(key.scopes),
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt
    })
    .execute()
}

async function keyByHash(database: Kysely<BusinessSchema>, keyHash: string): Promise<ApiKeyUse | undefined> {
  const row = await database
    .selectFrom('api_key')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const owner = await database.selectFrom('user').selectAll().where('id', '=', row.user_id).executeTakeFirstOrThrow()
  return { key: keyOf(row), person: personOf(owner) }
}

/** The keys of one person that still work. */
function workingKeys(database: Kysely<BusinessSchema>, userId: string) {
  return database.selectFrom('api_key').where('user_id', '=', userId).where('revoked_at', 'is', null)
}

async function findKey(
  database: Kysely<BusinessSchema>,
  userId: string,
  keyId: string
): Promise<StoredApiKey | undefined> {
  const row = await workingKeys(database, userId).selectAll().where('id', '=', keyId).executeTakeFirst()
  return row === undefined ? undefined : keyOf(row)
}

async function listKeys(
  database: Kysely<BusinessSchema>,
  userId: string,
  page: PageRequest
): Promise<Page<StoredApiKey>> {
  const rows = await workingKeys(database, userId)
    .selectAll()
    .where('sequence', '<', pageStart(page))
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { total } = await workingKeys(database, userId)
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return pageOfRows(rows, page, total, keyOf)
}

async function revokeKey(
  database: Kysely<BusinessSchema>,
  end: { readonly userId: string; readonly keyId: string; readonly revokedAt: number }
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('api_key')
    .set({ revoked_at: end.revokedAt })
    .where('id', '=', end.keyId)
    .where('user_id', '=', end.userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
