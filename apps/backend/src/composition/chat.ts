import type { ModelState } from '@oncall-agent/retrieval'
import { type Conversations, createConversations, warm } from '../agent/index.ts'
import { LastOutcome } from '../models/index.ts'
import { addChatMetrics } from '../observability/index.ts'
import { answererOver } from './chat-answerer.ts'
import type { Observed } from './observe.ts'
import type { Service } from './service.ts'

/** The chat of a serving process. */
export interface Chat {
  readonly conversations: Conversations
  /** How the last calls of the chat model went; undefined where none is configured. Asking costs no call. */
  readonly modelState: () => ModelState | undefined
  readonly onStream: (change: 1 | -1) => void
  /** Loads the agent's code, so that the first answer does not wait for it. */
  warm(): Promise<void>
}

export function openChat(observed: Observed, { store, auth, toolServers }: Service): Chat {
  const { parts, metrics, onStage, searchMeasures } = observed
  const { settings, logger } = parts
  const measures = addChatMetrics(metrics)
  const outcome = new LastOutcome()
  const isConfigured = settings.chat.baseUrl !== ''
  const answerer = answererOver(parts, {
    store,
    toolServers,
    onStage,
    searchMeasures,
    watch: {
      onToolCall: ({ status }) => measures.toolCalled(status),
      onModelCall: ({ outcome: how, firstMs }) => {
        measures.modelCalled(how, firstMs)
        // Who gave up has cancelled the call, and one request may be refused: neither says anything of the next one.
        if (how === 'ok' || how === 'failed') outcome.record(how === 'ok' ? 'succeeded' : 'failed')
      }
    }
  })
  const { streams, approvalMs } = settings.chat
  const conversations = createConversations({
    store,
    answerer,
    mode: isConfigured ? 'agent' : 'evidence-only',
    readableBy: (caller) => auth.readableBy(caller),
    streams,
    approvalMs,
    logger,
    onAnswered: ({ status, mode }) => measures.answered(status, mode)
  })
  return {
    conversations,
    modelState: () => (isConfigured ? outcome.state : undefined),
    onStream: (change) => measures.streamChanged(change),
    warm: async () => {
      if (!isConfigured) return
      await warm().catch((err: unknown) => logger.error({ err }, "the agent's code could not be loaded"))
    }
  }
}
