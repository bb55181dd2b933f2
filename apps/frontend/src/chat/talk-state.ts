import { type ApiClient, type Conversation, type Message, PAGE_LIMIT } from '@oncall-agent/api-contracts'
import { computed, ref, shallowRef, triggerRef } from 'vue'
import { type Problem, problemOf } from '../api/problem.ts'

/**
 * What the page knows of one conversation. `new` → `ready` when the first question is sent; `loading` → `ready` |
 * `failed`.
 * @param signal aborted when the page is left: whatever fails after that is nobody's problem
 */
export function talkState(api: ApiClient, givenId: string | null, signal: AbortSignal) {
  const id = ref(givenId)
  const conversation = shallowRef<Conversation | null>(null)
  const phase = ref<'new' | 'loading' | 'ready' | 'failed'>(givenId === null ? 'new' : 'loading')
  const problem = shallowRef<Problem | null>(null)
  const messages = shallowRef<Message[]>([])
  /** Id of the answer whose events are read, empty before they name it; null while none is read. */
  const followed = ref<string | null>(null)
  const connected = ref(true)
  const streaming = computed(() => messages.value.findLast(({ status }) => status === 'streaming') ?? null)
  const params = (): { readonly id: string } => ({ id: id.value ?? '' })
  /** Of the page that held the last message: what is new is asked for from there. */
  let lastCursor: string | undefined

  function put(message: Message): void {
    const at = messages.value.findLastIndex((each) => each.id === message.id)
    if (at < 0) messages.value = [...messages.value, message].toSorted((a, b) => a.position - b.position)
    else messages.value[at] = message
    triggerRef(messages)
  }
  /** Reads what is new to the end; an answer whose stream is ahead of what is stored is left as it is. */
  async function read(): Promise<void> {
    for (;;) {
      const query = { limit: PAGE_LIMIT, ...(lastCursor === undefined ? {} : { cursor: lastCursor }) }
      const page = await api.messages({ params: params(), query, signal })
      for (const message of page.items) if (message.id !== followed.value) put(message)
      if (page.nextCursor === null) return
      lastCursor = page.nextCursor
    }
  }
  async function lookAtTitle(): Promise<void> {
    conversation.value = await api.conversation({ params: params(), signal })
  }
  function tell(error: unknown): void {
    if (!signal.aborted) problem.value = problemOf(error)
  }
  return {
    api,
    signal,
    id,
    conversation,
    phase,
    problem,
    messages,
    followed,
    connected,
    streaming,
    params,
    put,
    read,
    lookAtTitle,
    tell
  }
}

export type TalkState = ReturnType<typeof talkState>
