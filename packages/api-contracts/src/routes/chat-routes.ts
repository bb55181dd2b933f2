import {
  approvalParamsSchema,
  approvalSchema,
  conversationChangeSchema,
  conversationSchema,
  messageParamsSchema,
  newConversationSchema,
  newMessageSchema
} from '../chat/conversation.ts'
import { feedbackInputSchema, feedbackSchema } from '../chat/feedback.ts'
import { messageEventSchema } from '../chat/message-events.ts'
import { messageSchema } from '../chat/message.ts'
import { idParamsSchema } from '../pages/ids.ts'
import { pageOf, pageQuerySchema } from '../pages/page.ts'
import { API_PREFIX } from './prefix.ts'
import type { Route } from './route.ts'

const conversation = `${API_PREFIX}/conversations/:id` as const
const message = `${conversation}/messages/:messageId` as const

export const chatRoutes = {
  createConversation: {
    method: 'POST',
    path: `${API_PREFIX}/conversations`,
    summary: 'Begins a conversation',
    access: ['retrieve'],
    body: newConversationSchema,
    response: conversationSchema,
    statuses: [201],
    errors: []
  },
  conversations: {
    method: 'GET',
    path: `${API_PREFIX}/conversations`,
    summary: 'The own conversations, the last changed first',
    access: ['retrieve'],
    query: pageQuerySchema,
    response: pageOf(conversationSchema),
    statuses: [200],
    errors: []
  },
  conversation: {
    method: 'GET',
    path: conversation,
    summary: 'One of the own conversations',
    access: ['retrieve'],
    params: idParamsSchema,
    response: conversationSchema,
    conditional: true,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  changeConversation: {
    method: 'PATCH',
    path: conversation,
    summary: 'Gives a conversation another title',
    access: ['retrieve'],
    params: idParamsSchema,
    body: conversationChangeSchema,
    response: conversationSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  deleteConversation: {
    method: 'DELETE',
    path: conversation,
    summary: 'Deletes a conversation with its messages; an answer that is being written is stopped',
    access: ['retrieve'],
    params: idParamsSchema,
    statuses: [204],
    errors: ['NOT_FOUND']
  },
  messages: {
    method: 'GET',
    path: `${conversation}/messages`,
    summary: 'The messages of a conversation, oldest first',
    access: ['retrieve'],
    params: idParamsSchema,
    query: pageQuerySchema,
    response: pageOf(messageSchema),
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  sendMessage: {
    method: 'POST',
    path: `${conversation}/messages`,
    summary:
      'Asks, and answers as a stream of events; the answer is written to its end also when the stream is not. One answer at a time',
    access: ['retrieve'],
    params: idParamsSchema,
    body: newMessageSchema,
    events: messageEventSchema,
    localised: true,
    statuses: [200],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  message: {
    method: 'GET',
    path: message,
    summary: 'A message as it is stored, also while it is being written',
    access: ['retrieve'],
    params: messageParamsSchema,
    response: messageSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  messageEvents: {
    method: 'GET',
    path: `${message}/events`,
    summary: 'The events of an answer from the start, or from behind the one that `Last-Event-ID` names',
    access: ['retrieve'],
    params: messageParamsSchema,
    events: messageEventSchema,
    localised: true,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  stopMessage: {
    method: 'POST',
    path: `${message}/stop`,
    summary: 'Stops an answer; what is written is kept',
    access: ['retrieve'],
    params: messageParamsSchema,
    response: messageSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  decideToolCall: {
    method: 'POST',
    path: `${message}/calls/:callId/decision`,
    summary: 'Lets a waiting call of a tool run, or not; only a person can',
    access: 'person',
    params: approvalParamsSchema,
    body: approvalSchema,
    statuses: [204],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  giveFeedback: {
    method: 'POST',
    path: `${API_PREFIX}/feedback`,
    summary: 'Says whether an answer or one of its sources helped; a later verdict takes the place of an earlier one',
    access: ['retrieve'],
    body: feedbackInputSchema,
    response: feedbackSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  }
} as const satisfies Record<string, Route>
