import type { Message } from '@oncall-agent/api-contracts'
import type { MessageVerdicts, StoredMessage } from '../../store/index.ts'

const NO_VERDICTS: MessageVerdicts = { answer: null, citations: {} }

/** A stored message as its reader sees it. */
export function toMessage(stored: StoredMessage, verdicts: MessageVerdicts = NO_VERDICTS): Message {
  const { knowledgeBaseIds: _bases, steps: _steps, leaseUntil: _lease, ...message } = stored
  return { ...message, verdicts }
}
