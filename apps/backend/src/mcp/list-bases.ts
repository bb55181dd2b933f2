import { knowledgeBaseSchema } from '@oncall-agent/api-contracts'
import { z } from 'zod'
import type { Caller } from '../auth/index.ts'
import type { McpRooms } from './rooms.ts'

const PAGE_DEFAULT = 50
const PAGE_LIMIT = 200
const CURSOR_LIMIT = 500

export const listBasesSchema = z.strictObject({
  limit: z.int().min(1).max(PAGE_LIMIT).default(PAGE_DEFAULT).describe('How many a page has at most.'),
  cursor: z.string().min(1).max(CURSOR_LIMIT).optional().describe('`nextCursor` of the page before, as it came.')
})

export const basesPageSchema = z.object({
  knowledgeBases: z.array(
    z.object({
      ...knowledgeBaseSchema.unwrap().pick({ id: true, name: true, description: true, access: true, origin: true })
        .shape,
      documents: z.int().min(0).describe('How many documents it has.')
    })
  ),
  nextCursor: z.string().nullable(),
  total: z.int().min(0)
})

/** Newest first. @throws AppError VALIDATION_FAILED for a cursor that never came from a page */
export async function listBases(
  { knowledge }: McpRooms,
  caller: Caller,
  page: z.output<typeof listBasesSchema>
): Promise<z.output<typeof basesPageSchema>> {
  const { items, nextCursor, total } = await knowledge.bases(caller, page)
  const knowledgeBases = items.map(({ id, name, description, access, origin, documents }) => {
    return { id, name, description, access, origin, documents: documents.total }
  })
  return { knowledgeBases, nextCursor, total }
}
