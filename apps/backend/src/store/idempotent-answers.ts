import type { Kysely } from 'kysely'
import type { BusinessSchema } from './schema.ts'

/** Milliseconds that an answer is kept: long enough for any client that tries again, and bounds the table. */
const KEPT_MS = 24 * 60 * 60 * 1000
/**
 * Milliseconds after which a request without an answer is taken as one that died with its process: what is claimed is
 * only the writing of facts about files that have arrived already. No start of a server frees them sooner: another
 * server of the same folder may be at work on them.
 */
const ABANDONED_MS = 60 * 1000

export interface IdempotentRequest {
  readonly userId: string
  /** The client's own. */
  readonly key: string
  /** Of everything that makes it this request. */
  readonly requestHash: string
}

/** `claimed`: it is the caller's to do. `running`: another request does it now. `other`: the key names another request. */
export type IdempotencyClaim =
  | { readonly state: 'claimed' | 'running' | 'other' }
  | { readonly state: 'answered'; readonly status: number; readonly body: unknown }

export interface IdempotentAnswerFacts {
  /** @param now milliseconds since the epoch */
  claim(request: IdempotentRequest, now: number): Promise<IdempotencyClaim>
  answer(request: IdempotentRequest, status: number, body: unknown): Promise<void>
  /** It failed: the same key may try again. */
  release(request: IdempotentRequest): Promise<void>
}

export function idempotentAnswerFacts(database: Kysely<BusinessSchema>): IdempotentAnswerFacts {
  return {
    claim: (request, now) => claim(database, request, now),
    answer: async ({ userId, key, requestHash }, status, body) => {
      await database
        .updateTable('idempotent_answer')
        .set({ status, body_json: JSON.stringify(body) })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .where('request_hash', '=', requestHash)
        .execute()
    },
    release: async ({ userId, key, requestHash }) => {
      await database
        .deleteFrom('idempotent_answer')
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .where('request_hash', '=', requestHash)
        .where('status', 'is', null)
        .execute()
    }
  }
}

async function claim(
  database: Kysely<BusinessSchema>,
  request: IdempotentRequest,
  now: number
): Promise<IdempotencyClaim> {
  return database.transaction().execute(async (transaction) => {
    await forgetOld(transaction, now)
    const known = await transaction
      .selectFrom('idempotent_answer')
      .select(['request_hash', 'status', 'body_json'])
      .where('user_id', '=', request.userId)
      .where('key', '=', request.key)
      .executeTakeFirst()
    if (known === undefined) {
      await insertClaim(transaction, request, now)
      return { state: 'claimed' }
    }
    if (known.request_hash !== request.requestHash) return { state: 'other' }
    if (known.status === null) return { state: 'running' }
    return { state: 'answered', status: known.status, body: JSON.parse(known.body_json ?? 'null') as unknown }
  })
}

async function forgetOld(database: Kysely<BusinessSchema>, now: number): Promise<void> {
  await database
    .deleteFrom('idempotent_answer')
    .where('created_at', '<=', now - KEPT_MS)
    .execute()
  await database
    .deleteFrom('idempotent_answer')
    .where('status', 'is', null)
    .where('created_at', '<=', now - ABANDONED_MS)
    .execute()
}

async function insertClaim(database: Kysely<BusinessSchema>, request: IdempotentRequest, now: number): Promise<void> {
  const { userId, key, requestHash } = request
  await database
    .insertInto('idempotent_answer')
    .values({ user_id: userId, key, request_hash: requestHash, status: null, body_json: null, created_at: now })
    .execute()
}
