import { randomUUID } from 'node:crypto'
import { AppError, type Conversation } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { StoredMessage } from '../../store/index.ts'
import type { Conversations } from './conversations.ts'
import type { ChatParts, ChatStore } from './chat-parts.ts'
import { stopped } from './ending-reasons.ts'
import { toMessage } from './to-message.ts'

type Kept = Pick<Conversations, 'create' | 'list' | 'find' | 'change' | 'remove' | 'messages' | 'message'>

/** Conversations and messages as they are stored. */
export function createKeptConversations({ store, running, writes }: ChatParts): Kept {
  const find = (caller: Caller, id: string) => ownConversation(store, caller, id)
  return {
    create: async (caller, { title = '' }) => {
      const id = randomUUID()
      const made = { id, title, now: Date.now() }
      await writes.do((tables) => tables.conversations.insert(caller, made))
      return find(caller, id)
    },
    list: (caller, page) => store.conversations.list(caller, page),
    find,
    change: async (caller, id, { title }) => {
      if (!(await store.conversations.rename(caller, id, { title, now: Date.now() }))) throw noConversation(id)
      return find(caller, id)
    },
    remove: async (caller, id) => {
      if (!(await store.conversations.remove(caller, id))) throw noConversation(id)
      // What another process writes there finds its message gone with its next write.
      for (const run of running.all.values()) if (run.message.conversationId === id) run.stop(stopped())
    },
    messages: async (caller, id, page) => {
      await find(caller, id)
      const { items, ...rest } = await store.messages.list(id, page)
      const verdicts = await store.answerFeedback.of(
        caller.userId,
        items.map((each) => each.id)
      )
      return { ...rest, items: items.map((each) => toMessage(each, verdicts.get(each.id))) }
    },
    message: async (caller, conversationId, messageId) => messageFor(store, caller, { conversationId, messageId })
  }
}

export interface MessageAddress {
  readonly conversationId: string
  readonly messageId: string
}

/** @throws AppError NOT_FOUND */
export async function messageFor(store: ChatStore, caller: Caller, address: MessageAddress) {
  const stored = await ownMessage(store, caller, address)
  const verdicts = await store.answerFeedback.of(caller.userId, [stored.id])
  return toMessage(stored, verdicts.get(stored.id))
}

/** @throws AppError NOT_FOUND */
export async function ownMessage(
  store: Pick<ChatStore, 'messages'>,
  caller: Caller,
  { conversationId, messageId }: MessageAddress
): Promise<StoredMessage> {
  const found = await store.messages.find(caller, conversationId, messageId)
  if (found === undefined) throw new AppError('NOT_FOUND', { operation: 'find message', subject: messageId })
  return found
}

async function ownConversation(store: ChatStore, caller: Caller, id: string): Promise<Conversation> {
  const found = await store.conversations.find(caller, id)
  if (found === undefined) throw noConversation(id)
  return found
}

export function noConversation(subject: string): AppError {
  return new AppError('NOT_FOUND', { operation: 'find conversation', subject })
}
