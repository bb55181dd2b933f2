import { z } from 'zod'
import { failureSchema } from '../knowledge/index-task.ts'
import { timeSchema } from '../pages/ids.ts'
import { citationSchema } from '../retrieval/retrieval-response.ts'

/** A citation of one turn. `marker` n is what `[n]` in the answer refers to; the numbers of a turn begin at 1. */
export const sourceSchema = z
  .object({
    ...citationSchema.unwrap().shape,
    marker: z.int().min(1),
    /** The stored record of the retrieval, which keeps what was seen; null when it could not be stored. */
    runId: z.string().nullable(),
    /** Of the call that found it. */
    callId: z.string(),
    /** Whether the answer refers to it. */
    cited: z.boolean()
  })
  .readonly()

/** `refused`: not given, not allowed, or a person said no. `cancelled`: stopped by a person or at a limit. */
export const toolStatusSchema = z.enum(['ok', 'failed', 'refused', 'cancelled'])

/** One call of a tool in an answer, as the page shows it. */
export const toolUseSchema = z
  .object({
    callId: z.string(),
    /** As the agent calls it: `knowledge_retrieval`, or `<server>__<tool>` for a tool of an MCP server. */
    tool: z.string(),
    /** Arguments as JSON text, shortened for show; the audit has them whole. */
    arguments: z.string(),
    /** `running` and `waiting` (for a person's approval) only while the message streams. */
    status: z.enum(['running', 'waiting', ...toolStatusSchema.options]),
    /** Null until it ended. */
    tookMs: z.number().min(0).nullable(),
    failure: failureSchema.nullable(),
    /** How many pieces of evidence a search found; null for other tools and for a failure. */
    found: z.int().min(0).nullable()
  })
  .readonly()

export const messageRoleSchema = z.enum(['user', 'assistant'])

/**
 * `streaming`: being written. `partial`: ended before its end (cancelled, a limit, the model or the server died); what
 * was written is kept. `failed`: nothing was written.
 */
export const messageStatusSchema = z.enum(['streaming', 'completed', 'partial', 'failed'])

export const messageSchema = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    /** From 0; a question and its answer follow each other. */
    position: z.int().min(0),
    role: messageRoleSchema,
    status: messageStatusSchema,
    /** Markdown of an answer, with markers `[n]`; plain text of a question. */
    content: z.string(),
    /** `evidence-only`: no chat model is configured, the answer is what was found. */
    mode: z.enum(['agent', 'evidence-only']),
    /** What the knowledge base said to this turn; `failed` when the last word of retrieval was an error. */
    retrieval: z.enum(['none', 'found', 'empty', 'failed']),
    sources: z.array(sourceSchema).readonly(),
    tools: z.array(toolUseSchema).readonly(),
    /** Markers that belonged to no source of the turn and were removed. */
    removedMarkers: z.int().min(0),
    /** Why it is `partial` or `failed`. */
    failure: failureSchema.nullable(),
    /** The reader's own verdicts: of the answer, and of sources by chunk id. */
    verdicts: z
      .object({
        answer: z.enum(['up', 'down']).nullable(),
        citations: z.record(z.string(), z.enum(['up', 'down'])).readonly()
      })
      .readonly(),
    createdAt: timeSchema,
    finishedAt: timeSchema.nullable()
  })
  .readonly()

export type Source = z.output<typeof sourceSchema>
export type ToolStatus = z.output<typeof toolStatusSchema>
export type ToolUse = z.output<typeof toolUseSchema>
export type Message = z.output<typeof messageSchema>
