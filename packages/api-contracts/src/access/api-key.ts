import { z } from 'zod'
import { nameSchema, timeSchema } from '../pages/ids.ts'

/**
 * What a key may do. `retrieve`: read and search what its owner may read. `ingest`: change the owner's knowledge bases
 * and documents. `alerts`: deliver alerts. `admin`: what an administrator may; only an administrator's key can have it.
 */
export const apiScopeSchema = z.enum(['retrieve', 'ingest', 'alerts', 'admin'])

export const newApiKeySchema = z
  .strictObject({
    name: nameSchema,
    scopes: z
      .array(apiScopeSchema)
      .min(1, 'must name at least one')
      .max(4)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'must not repeat one')
      .readonly()
  })
  .readonly()

const apiKeyFields = {
  id: z.string(),
  name: z.string(),
  scopes: z.array(apiScopeSchema).readonly(),
  /** How the key begins, to tell keys apart; not enough to use it. */
  prefix: z.string(),
  createdAt: timeSchema,
  /** To about a minute. */
  lastUsedAt: timeSchema.nullable()
}

export const apiKeySchema = z.object(apiKeyFields).readonly()

/** Answered once, when it is made: the only time that the key itself is told. */
export const createdApiKeySchema = z.object({ ...apiKeyFields, key: z.string() }).readonly()

export type ApiScope = z.output<typeof apiScopeSchema>
export type NewApiKey = z.output<typeof newApiKeySchema>
export type ApiKey = z.output<typeof apiKeySchema>
export type CreatedApiKey = z.output<typeof createdApiKeySchema>
