import { AppError, documentSchema, type DocumentView } from '@oncall-agent/api-contracts'
import { z } from 'zod'
import type { Caller } from '../auth/index.ts'
import type { McpRooms } from './rooms.ts'

/** Characters of text that one answer has when nothing is asked for, and at most. */
const WINDOW_DEFAULT = 20_000
const WINDOW_LIMIT = 100_000
const ID_LIMIT = 200

export const getDocumentSchema = z.strictObject({
  documentId: z.string().min(1).max(ID_LIMIT),
  offset: z.int().min(0).default(0).describe('Where the text begins: characters (UTF-16) of the whole.'),
  limit: z.int().min(1).max(WINDOW_LIMIT).default(WINDOW_DEFAULT).describe('Characters at most.')
})

export const documentWindowSchema = z.object({
  document: documentSchema.unwrap().pick({
    id: true,
    knowledgeBaseId: true,
    fileName: true,
    title: true,
    format: true,
    version: true,
    indexedVersion: true,
    indexStatus: true,
    attributes: true,
    updatedAt: true
  }),
  text: z.string(),
  offset: z.int().min(0),
  length: z.int().min(0).describe('Of the whole text.'),
  nextOffset: z.int().nullable().describe('Where the rest begins; null at the end.')
})

/** @throws AppError NOT_FOUND, also for a document that is not the caller's to know, and while it was not read */
export async function getDocument(
  rooms: McpRooms,
  caller: Caller,
  { documentId, offset, limit }: z.output<typeof getDocumentSchema>
): Promise<z.output<typeof documentWindowSchema>> {
  const document = await findDocument(rooms, caller, documentId)
  const { text: whole } = await rooms.knowledge.text(caller, documentId, undefined)
  const end = Math.min(whole.length, onBorder(whole, offset + limit))
  const start = onBorder(whole, offset)
  return {
    document,
    text: whole.slice(start, end),
    offset: start,
    length: whole.length,
    nextOffset: end < whole.length ? end : null
  }
}

/** What can be no id never was one. */
async function findDocument({ knowledge }: McpRooms, caller: Caller, documentId: string): Promise<DocumentView> {
  if (/[\p{Cc}/\\]/u.test(documentId)) throw new AppError('NOT_FOUND', { operation: 'find document' })
  return knowledge.document(caller, documentId)
}

/** Half a character belongs to the window behind it. */
function onBorder(text: string, at: number): number {
  const isSplit = /[\uD800-\uDBFF]/.test(text[at - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[at] ?? '')
  return isSplit ? at - 1 : Math.min(at, text.length)
}
