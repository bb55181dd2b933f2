import type { Conversation, NewMessage } from '@oncall-agent/api-contracts'
import { ref, shallowRef } from 'vue'
import { type Problem, problemOf } from '../api/problem.ts'
import type { AnswerStream, TalkFollower } from './follow-talk.ts'
import type { TalkState } from './talk-state.ts'

/** Sends questions, and is sure whether they came through: a line that broke says nothing about it. */
export function questionSender(
  talk: TalkState,
  follower: TalkFollower,
  onCreated: (conversation: Conversation) => void
) {
  const { api, signal, id, messages, streaming, params, read } = talk
  const sending = ref(false)
  const sendProblem = shallowRef<Problem | null>(null)

  async function wasStored({ content }: NewMessage, before: number): Promise<boolean> {
    await read()
    follower.followStreaming()
    return messages.value.slice(before).some((each) => each.role === 'user' && each.content === content)
  }

  /** True once the question is stored; false when it is not, and `sendProblem` says why. */
  async function send(message: NewMessage): Promise<boolean> {
    if (sending.value || streaming.value !== null) return false
    sending.value = true
    sendProblem.value = null
    const before = messages.value.length
    try {
      if (id.value === null) onCreated(await begin(talk))
      const stream = await api.sendMessage({ params: params(), body: message, signal })
      if (await isTaken(talk, follower, stream)) return true
      if (await wasStored(message, before)) return true
      sendProblem.value = { code: 'SYSTEM_UNAVAILABLE', message: '', requestId: '', details: {} }
      return false
    } catch (error) {
      if (signal.aborted) return false
      const found = problemOf(error)
      const seen = id.value !== null && (await wasStored(message, before).catch(() => false))
      // A line that broke says nothing about whether the question came through; a refusal says that it did not.
      if (seen && found?.code === 'SYSTEM_UNAVAILABLE' && found.requestId === '') return true
      sendProblem.value = found
      return false
    } finally {
      sending.value = false
    }
  }
  return { sending, sendProblem, send }
}

/** A conversation begins with its first question: one that nobody asked anything in is none. */
async function begin({ api, id, conversation, phase }: TalkState): Promise<Conversation> {
  const created = await api.createConversation({ body: {} })
  id.value = created.id
  conversation.value = created
  phase.value = 'ready'
  return created
}

/** True when the question is stored, false when the stream ended before it said so. The answer goes on by itself. */
function isTaken(talk: TalkState, { follow }: TalkFollower, stream: AnswerStream): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  let isStored = false
  const take = (): void => {
    if (isStored) return
    isStored = true
    resolve(true)
    // The first question names the conversation.
    talk.lookAtTitle().catch(talk.tell)
  }
  follow(stream, take)
    .then(() => {
      resolve(false)
      return isStored ? talk.lookAtTitle() : undefined
    })
    .catch((error: unknown) => {
      if (isStored) talk.tell(error)
      reject(error as Error)
    })
  return promise
}
