import type { Conversation, Message } from '@oncall-agent/api-contracts'
import { onScopeDispose } from 'vue'
import { useApi } from '../api/page-api.ts'
import { problemOf } from '../api/problem.ts'
import { talkFollower } from './follow-talk.ts'
import { questionSender } from './send-question.ts'
import { talkState } from './talk-state.ts'
import { useSteadyLook } from './use-steady-look.ts'

export type Verdict = 'up' | 'down'

/**
 * One conversation: its messages, the answer that is being written, and what a person does in it. What other tabs do in
 * it is seen too.
 * @param givenId null for one that begins with its first question
 */
export function useConversation(givenId: string | null, onCreated: (conversation: Conversation) => void) {
  const api = useApi()
  const left = new AbortController()
  onScopeDispose(() => left.abort(new DOMException('The conversation was left.', 'AbortError')))
  const talk = talkState(api, givenId, left.signal)
  const follower = talkFollower(talk)
  const { id, conversation, phase, problem, messages, streaming, followed, params, put, read } = talk
  const { sending, sendProblem, send } = questionSender(talk, follower, onCreated)

  async function load(): Promise<void> {
    if (id.value === null) return
    phase.value = 'loading'
    problem.value = null
    try {
      await talk.lookAtTitle()
      await read()
      phase.value = 'ready'
      follower.followStreaming()
    } catch (error) {
      talk.tell(error)
      phase.value = 'failed'
    }
  }
  async function stop(): Promise<void> {
    const answer = streaming.value
    if (answer !== null) await api.stopMessage({ params: { ...params(), messageId: answer.id } })
  }
  const decide = (messageId: string, callId: string, approved: boolean): Promise<undefined> =>
    api.decideToolCall({ params: { ...params(), messageId, callId }, body: { approved } })
  /** @param chunkId of a source; null for the answer itself */
  async function judge(messageId: string, chunkId: string | null, verdict: Verdict | null): Promise<void> {
    await api.giveFeedback({ body: { messageId, verdict, ...(chunkId === null ? {} : { chunkId }) } })
    const message = messages.value.find((each) => each.id === messageId)
    if (message !== undefined) put(judged(message, chunkId, verdict))
  }

  /** What happened elsewhere: another tab asked, or gave the conversation another name. */
  async function look(): Promise<void> {
    if (phase.value !== 'ready' || followed.value !== null || sending.value) return
    const known = conversation.value
    try {
      await talk.lookAtTitle()
      const now = conversation.value
      if (known?.updatedAt === now?.updatedAt && known?.messages === now?.messages) return
      await read()
      follower.followStreaming()
    } catch (error) {
      // What passes is asked again in a moment; what was deleted elsewhere is told.
      if (!left.signal.aborted && problemOf(error)?.code === 'NOT_FOUND') talk.tell(error)
    }
  }
  useSteadyLook(look)

  return { ...talk, sending, sendProblem, load, send, stop, decide, judge }
}

export type Talk = ReturnType<typeof useConversation>

function judged(message: Message, chunkId: string | null, verdict: Verdict | null): Message {
  const { verdicts } = message
  if (chunkId === null) return { ...message, verdicts: { ...verdicts, answer: verdict } }
  const { [chunkId]: _before, ...others } = verdicts.citations
  const citations = verdict === null ? others : { ...others, [chunkId]: verdict }
  return { ...message, verdicts: { ...verdicts, citations } }
}
