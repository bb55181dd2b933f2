import type { AppError, ErrorCode, MessageEvent } from '@oncall-agent/api-contracts'
import type { MessageVerdicts, StoredMessage } from '../../store/index.ts'
import { LAST_EVENT_ID } from './event-cursor.ts'
import type { NumberedEvent } from './events-after.ts'
import { toMessage } from './to-message.ts'

/** Failures by which an answer is partial and its stream no error. */
const IN_ORDER = new Set<ErrorCode>(['CANCELLED', 'LIMIT_REACHED'])

/**
 * The event that ends a stream, read from how the answer is stored: the same now, later and elsewhere. What a person
 * stopped, or a limit that was set, has ended in order; whatever else ended before its end is an error.
 */
export function lastEventOf(
  stored: StoredMessage,
  verdicts: MessageVerdicts | undefined,
  requestId: string
): NumberedEvent {
  const message = toMessage(stored, verdicts)
  const { failure } = stored
  const isError = failure !== null && !IN_ORDER.has(failure.code)
  const event: MessageEvent = isError
    ? { type: 'error', messageId: stored.id, ...failure, requestId, stored: message }
    : { type: 'message.completed', message }
  return { id: LAST_EVENT_ID, event }
}

/** Where the stored answer can not be read any more. */
export function brokenEnd(messageId: string, { code, message }: AppError, requestId: string): NumberedEvent {
  return { id: LAST_EVENT_ID, event: { type: 'error', messageId, code, message, requestId, stored: null } }
}
