import { z } from 'zod'
import { errorCodes } from '../errors/error-body.ts'
import { messageSchema, sourceSchema, toolUseSchema } from './message.ts'

/** A comment is sent when nothing else was for so long, so that no proxy takes the stream for dead. */
export const HEARTBEAT_MS = 15_000

/**
 * Events of one answer, in the order in which they are sent. `message.completed` or `error` is the last; both end the
 * stream. The event's name is its `type`, its data the JSON of the whole, its id grows within the message.
 */
export const messageEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message.started'),
    conversationId: z.string(),
    messageId: z.string(),
    /** The stored question. */
    question: messageSchema
  }),
  /** Text to add at `offset` (UTF-16 units) of the answer; what lies behind `offset` already is replaced. */
  z.object({ type: z.literal('message.delta'), messageId: z.string(), offset: z.int().min(0), text: z.string() }),
  z.object({ type: z.literal('tool.started'), messageId: z.string(), call: toolUseSchema }),
  /** A tool that may change something waits for a person. */
  z.object({ type: z.literal('tool.waiting'), messageId: z.string(), call: toolUseSchema }),
  z.object({ type: z.literal('tool.finished'), messageId: z.string(), call: toolUseSchema }),
  z.object({ type: z.literal('reference.source'), messageId: z.string(), source: sourceSchema }),
  /** The stored message, also when it is `partial`: what the stream said before gives way to it. */
  z.object({ type: z.literal('message.completed'), message: messageSchema }),
  z.object({
    type: z.literal('error'),
    messageId: z.string().nullable(),
    code: z.enum(errorCodes),
    message: z.string(),
    requestId: z.string(),
    /** The stored message, with what had been written; null when it could not be read. */
    stored: messageSchema.nullable()
  })
])

export const lastEventIdSchema = z.string().regex(/^\d{1,9}$/, 'must be an id of an event of this message')

export type MessageEvent = z.output<typeof messageEventSchema>
