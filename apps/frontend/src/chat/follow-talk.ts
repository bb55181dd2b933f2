import type { Message, MessageEvent, ReceivedEvent } from '@oncall-agent/api-contracts'
import { followAnswer } from './follow-answer.ts'
import type { TalkState } from './talk-state.ts'

export type AnswerStream = AsyncIterable<ReceivedEvent<MessageEvent>>

/** Reads the answers of a conversation as they are written: the own ones, and those that another tab asked for. */
export function talkFollower(talk: TalkState) {
  const { api, signal, followed, connected, streaming, params, put, lookAtTitle, tell } = talk

  /** Reads an answer to its end; null when its stream broke before it said which answer it is. */
  async function follow(first: AnswerStream | Message, onQuestion: () => void): Promise<Message | null> {
    followed.value = 'id' in first ? first.id : ''
    const following = {
      api,
      conversationId: params().id,
      signal,
      onQuestion: (question: Message) => {
        put(question)
        onQuestion()
      },
      onAnswer: (answer: Message) => {
        followed.value = answer.id
        put(answer)
      },
      onConnected: (is: boolean) => void (connected.value = is)
    }
    try {
      return await followAnswer(following, first)
    } finally {
      followed.value = null
      connected.value = true
    }
  }
  function followStreaming(): void {
    const answer = streaming.value
    if (answer === null || followed.value !== null) return
    follow(answer, () => undefined)
      .then(lookAtTitle)
      .catch(tell)
  }
  return { follow, followStreaming }
}

export type TalkFollower = ReturnType<typeof talkFollower>
