import type {
  Conversation,
  ConversationChange,
  Feedback,
  FeedbackInput,
  Message,
  NewConversation,
  NewMessage,
  Page
} from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import type { Caller } from '../../auth/index.ts'
import type { PageRequest } from '../../store/index.ts'
import type { AnswerFeed } from './follow-answer.ts'

/** How a question is asked, or an answer followed. */
export interface AskedHow {
  /** Of the fixed texts of the answer. */
  readonly language: AnswerLanguage
  /** Of the request, told with an error. */
  readonly requestId: string
  /** Aborted when nobody listens any more. The answer is written to its end all the same. */
  readonly signal: AbortSignal
}

export interface FollowedHow extends Omit<AskedHow, 'language'> {
  /** Of the last event that was received; 0 for none. */
  readonly lastEventId: number
}

/**
 * The caller's own conversations. Whatever is not theirs is NOT_FOUND. Besides what is named, every operation throws
 * what the store throws, and a list VALIDATION_FAILED for a cursor that never came from it.
 */
export interface Conversations {
  create(caller: Caller, conversation: NewConversation): Promise<Conversation>
  /** The last changed first. */
  list(caller: Caller, page: PageRequest): Promise<Page<Conversation>>
  find(caller: Caller, conversationId: string): Promise<Conversation>
  change(caller: Caller, conversationId: string, change: ConversationChange): Promise<Conversation>
  /** With its messages; an answer that is being written is stopped. */
  remove(caller: Caller, conversationId: string): Promise<void>
  /** Oldest first. */
  messages(caller: Caller, conversationId: string, page: PageRequest): Promise<Page<Message>>
  message(caller: Caller, conversationId: string, messageId: string): Promise<Message>
  /**
   * Stores the question and begins the answer, which is written whoever listens.
   * @throws AppError CONFLICT while another answer is being written there; AUTH_FORBIDDEN for a knowledge base that the
   * caller may not read; RATE_LIMITED when this process writes as many answers as it may
   */
  send(caller: Caller, conversationId: string, message: NewMessage, how: AskedHow): Promise<AnswerFeed>
  /** The events of an answer, from behind one of them. */
  follow(caller: Caller, conversationId: string, messageId: string, how: FollowedHow): Promise<AnswerFeed>
  /** Resolves with the message when its answer has ended, or after some seconds as it is then. */
  stop(caller: Caller, conversationId: string, messageId: string): Promise<Message>
  /** @throws AppError CONFLICT when the call does not wait, or somebody has decided */
  decide(caller: Caller, call: WaitingCall, approved: boolean): Promise<void>
  giveFeedback(caller: Caller, feedback: FeedbackInput): Promise<Feedback>
  /** Takes nothing new, gives running answers a moment, ends them, and ends every feed. */
  close(): Promise<void>
}

export interface WaitingCall {
  readonly conversationId: string
  readonly messageId: string
  readonly callId: string
}
