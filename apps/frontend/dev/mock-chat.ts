import type { Conversation, FeedbackInput, Message, NewConversation, NewMessage } from '@oncall-agent/api-contracts'
import { eventsFrom, startAnswer } from './mock-chat-stream.ts'
import { found, type MockHandlers, MockRefusal, type MockRequest, nextId, pageOf } from './mock-request.ts'
import { question } from './sample-chat.ts'

const TITLE_LETTERS = 40

function conversationOf({ state: { chat }, params }: MockRequest): Conversation {
  return found(chat.conversations.get(params.id ?? ''))
}
const messagesOf = (request: MockRequest): Message[] =>
  found(request.state.chat.messages.get(conversationOf(request).id))

function indexOf(request: MockRequest): number {
  const index = messagesOf(request).findIndex(({ id }) => id === request.params.messageId)
  if (index < 0) throw new MockRefusal('NOT_FOUND')
  return index
}
const messageOf = (request: MockRequest): Message => messagesOf(request)[indexOf(request)]!

function change(request: MockRequest, changed: Partial<Conversation>): Conversation {
  const next = { ...conversationOf(request), updatedAt: Date.now(), ...changed }
  request.state.chat.conversations.set(next.id, next)
  return next
}

function create({ state, body }: MockRequest) {
  const { title = '' } = body as NewConversation
  const now = Date.now()
  const conversation = { id: nextId(state, 'talk'), title, messages: 0, createdAt: now, updatedAt: now }
  state.chat.conversations.set(conversation.id, conversation)
  state.chat.messages.set(conversation.id, [])
  return { body: conversation }
}

function send(request: MockRequest) {
  const given = request.body as NewMessage
  const { content } = given
  const messages = messagesOf(request)
  if (messages.some(({ status }) => status === 'streaming')) throw new MockRefusal('CONFLICT')
  const { id: conversationId, title } = conversationOf(request)
  const asked = question(nextId(request.state, 'msg'), conversationId, messages.length, content)
  messages.push(asked)
  request.state.chat.asked.push(given)
  change(request, {
    title: title === '' ? [...content.trim()].slice(0, TITLE_LETTERS).join('') : title,
    messages: messages.length + 1
  })
  const messageId = startAnswer(request, messages, asked)
  return { events: eventsFrom(request.state.chat, messageId, 0) }
}

function follow(request: MockRequest) {
  const { id } = messageOf(request)
  found(request.state.chat.answers.get(id))
  return { events: eventsFrom(request.state.chat, id, Number(request.lastEventId ?? 0)) }
}

function stop(request: MockRequest) {
  request.state.chat.answers.get(messageOf(request).id)?.stop.abort()
  return { body: messageOf(request) }
}

function decide(request: MockRequest) {
  const { approved } = request.body as { readonly approved: boolean }
  const answer = found(request.state.chat.answers.get(messageOf(request).id))
  const call = messageOf(request).tools.find(({ callId }) => callId === request.params.callId)
  const decided = answer.decide.get(found(call).callId)
  if (decided === undefined) throw new MockRefusal('CONFLICT')
  answer.decide.delete(found(call).callId)
  decided(approved)
  return {}
}

function judge(request: MockRequest) {
  const { messageId, chunkId, verdict, note = null } = request.body as FeedbackInput
  const all = [...request.state.chat.messages.values()]
  const messages = found(all.find((some) => some.some(({ id }) => id === messageId)))
  const index = messages.findIndex(({ id }) => id === messageId)
  const { verdicts } = messages[index]!
  const { [chunkId ?? '']: _before, ...others } = verdicts.citations
  const citations = verdict === null ? others : { ...others, [chunkId ?? '']: verdict }
  const next = chunkId === undefined ? { ...verdicts, answer: verdict } : { ...verdicts, citations }
  messages[index] = { ...messages[index]!, verdicts: next }
  return { body: { messageId, chunkId: chunkId ?? null, verdict, note, updatedAt: Date.now() } }
}

export const chatHandlers: MockHandlers = {
  createConversation: create,
  conversations: ({ state: { chat }, query }) =>
    pageOf(
      [...chat.conversations.values()].toSorted((a, b) => b.updatedAt - a.updatedAt),
      query
    ),
  conversation: (request) => ({ body: conversationOf(request) }),
  changeConversation: (request) => ({ body: change(request, request.body as { readonly title: string }) }),
  deleteConversation: (request) => {
    const { id } = conversationOf(request)
    for (const each of messagesOf(request)) request.state.chat.answers.get(each.id)?.stop.abort()
    request.state.chat.conversations.delete(id)
    request.state.chat.messages.delete(id)
    return {}
  },
  messages: (request) => pageOf(messagesOf(request), request.query),
  sendMessage: send,
  message: (request) => ({ body: messageOf(request) }),
  messageEvents: follow,
  stopMessage: stop,
  decideToolCall: decide,
  giveFeedback: judge
}
