import { z } from 'zod'
import { idSchema, timeSchema } from '../pages/ids.ts'

/** Characters of a message, in UTF-16 units; a pasted log fits, a log file is an upload. */
export const MESSAGE_LIMIT = 32_000
const TITLE_LIMIT = 200
const BASES_LIMIT = 1_000

const titleSchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(TITLE_LIMIT, `must have at most ${TITLE_LIMIT} characters`)
  .refine((title) => title.isWellFormed(), 'must not hold half a character')
  .regex(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u, 'must not hold control characters')

/** Without a title the first message names it. */
export const newConversationSchema = z.strictObject({ title: titleSchema.optional() }).readonly()
export const conversationChangeSchema = z.strictObject({ title: titleSchema }).readonly()

export const conversationSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    messages: z.int().min(0),
    createdAt: timeSchema,
    /** Of the last message or change. */
    updatedAt: timeSchema
  })
  .readonly()

/** What somebody says. The agent may read no more than `knowledgeBaseIds`; absent means all that the caller may read. */
export const newMessageSchema = z
  .strictObject({
    content: z
      .string()
      .refine((content) => content.trim() !== '', 'must not be empty')
      .max(MESSAGE_LIMIT, `must have at most ${MESSAGE_LIMIT} characters`)
      .refine((content) => content.isWellFormed(), 'must not hold half a character'),
    knowledgeBaseIds: z.array(idSchema).max(BASES_LIMIT, `must have at most ${BASES_LIMIT}`).readonly().optional()
  })
  .readonly()

export const messageParamsSchema = z.strictObject({ id: idSchema, messageId: idSchema }).readonly()
export const approvalParamsSchema = z.strictObject({ id: idSchema, messageId: idSchema, callId: idSchema }).readonly()
export const approvalSchema = z.strictObject({ approved: z.boolean() }).readonly()

export type NewConversation = z.output<typeof newConversationSchema>
export type Conversation = z.output<typeof conversationSchema>
export type ConversationChange = z.output<typeof conversationChangeSchema>
export type NewMessage = z.output<typeof newMessageSchema>
