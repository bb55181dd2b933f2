import { z } from 'zod'
import { idSchema, nameSchema, timeSchema } from '../pages/ids.ts'

const descriptionSchema = z.string().trim().max(1_000, 'must have at most 1000 characters')

export const newKnowledgeBaseSchema = z
  .strictObject({ name: nameSchema, description: descriptionSchema.default('') })
  .readonly()

export const knowledgeBaseChangeSchema = z
  .strictObject({ name: nameSchema.optional(), description: descriptionSchema.optional() })
  .readonly()

/** How many documents are in which state; a document in none of them was never asked to be indexed. */
export const documentCountsSchema = z
  .object({ total: z.int(), indexed: z.int(), indexing: z.int(), pending: z.int(), failed: z.int() })
  .readonly()

export const knowledgeBaseSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    ownerUserId: z.string(),
    tenantId: z.string(),
    /** `reader`: shared by its owner, read-only. */
    access: z.enum(['owner', 'reader']),
    /** `folder`: filled by `oncall index` on the server's machine; its documents are files there and are not changed here. */
    origin: z.enum(['uploads', 'folder']),
    documents: documentCountsSchema,
    createdAt: timeSchema,
    updatedAt: timeSchema
  })
  .readonly()

/** Somebody whom the owner lets read. */
export const readerSchema = z.object({ userId: z.string(), username: z.string(), grantedAt: timeSchema }).readonly()

export const readerParamsSchema = z.strictObject({ id: idSchema, userId: idSchema }).readonly()

export type NewKnowledgeBase = z.output<typeof newKnowledgeBaseSchema>
export type KnowledgeBaseChange = z.output<typeof knowledgeBaseChangeSchema>
export type KnowledgeBaseView = z.output<typeof knowledgeBaseSchema>
export type DocumentCounts = z.output<typeof documentCountsSchema>
export type Reader = z.output<typeof readerSchema>
