import type { Conversation, Message, MessageEvent, NewMessage } from '@oncall-agent/api-contracts'

/** An answer that is being written, or was: its events are kept, whoever listens. */
export interface MockAnswer {
  readonly events: MessageEvent[]
  /** Called once when there is a further event. */
  readonly waiting: Set<() => void>
  /** Decisions about waiting calls, by call id. */
  readonly decide: Map<string, (approved: boolean) => void>
  readonly stop: AbortController
}

/** What the mock remembers of the chat. */
export interface MockChat {
  readonly conversations: Map<string, Conversation>
  /** By conversation, in order. */
  readonly messages: Map<string, Message[]>
  /** By the id of the answer. */
  readonly answers: Map<string, MockAnswer>
  /** Everything that was asked, as it was sent. */
  readonly asked: NewMessage[]
  /** Milliseconds between two events; a test takes 0. */
  pace: number
  /** Events that a stream gives before it breaks, once; null breaks none. */
  breakAfter: number | null
}

export const mockChat = (): MockChat => ({
  conversations: new Map(),
  messages: new Map(),
  answers: new Map(),
  asked: [],
  pace: 25,
  breakAfter: null
})
