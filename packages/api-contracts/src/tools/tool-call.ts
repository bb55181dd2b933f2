import { z } from 'zod'
import { toolStatusSchema } from '../chat/message.ts'
import { failureSchema } from '../knowledge/index-task.ts'
import { idSchema, timeSchema } from '../pages/ids.ts'
import { pageQuery } from '../pages/page.ts'

/** Who let a tool run. */
export const toolCallerSchema = z.enum(['chat', 'diagnosis', 'mcp'])

/** One call of a tool: what was asked, what came of it. Never changed afterwards. */
export const toolCallSchema = z
  .object({
    id: z.string(),
    userId: z.string(),
    username: z.string().nullable(),
    origin: toolCallerSchema,
    conversationId: z.string().nullable(),
    messageId: z.string().nullable(),
    /** Of the MCP server that has the tool; null for the product's own. */
    serverId: z.string().nullable(),
    tool: z.string(),
    /** JSON text. What looks like a secret is hidden; longer than 16 KiB it is cut, and says so. */
    arguments: z.string(),
    status: toolStatusSchema,
    failure: failureSchema.nullable(),
    /** SHA-256 of the whole result and its UTF-8 bytes; null when there was none. */
    resultSha256: z.string().nullable(),
    resultBytes: z.int().min(0).nullable(),
    /** How the result begins. */
    resultExcerpt: z.string(),
    startedAt: timeSchema,
    tookMs: z.number().min(0)
  })
  .readonly()

/** Own calls; `everybody` is for administrators. */
export const toolCallsQuerySchema = z
  .strictObject({
    ...pageQuery,
    tool: z.string().min(1).max(200).optional(),
    status: toolStatusSchema.optional(),
    conversationId: idSchema.optional(),
    whose: z.enum(['own', 'everybody']).default('own')
  })
  .readonly()

export type ToolCall = z.output<typeof toolCallSchema>
export type ToolCallsQuery = z.output<typeof toolCallsQuerySchema>
