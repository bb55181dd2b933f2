import {
  type ApiClient,
  ApiError,
  type Message,
  type MessageEvent,
  type ReceivedEvent
} from '@oncall-agent/api-contracts'
import { afterEvent, beginningOf } from './answer-events.ts'

/** Milliseconds before each further try to get a broken stream back; a stream that said something starts over. */
const BACK_OFF_MS = [300, 1_000, 2_000, 4_000] as const
/** Milliseconds between two looks at the stored message while its stream can not be had. */
const LOOK_MS = 3_000

type Events = AsyncIterable<ReceivedEvent<MessageEvent>>

export interface Following {
  readonly api: Pick<ApiClient, 'message' | 'messageEvents'>
  readonly conversationId: string
  readonly signal: AbortSignal
  readonly onQuestion: (question: Message) => void
  readonly onAnswer: (answer: Message) => void
  /** Whether the stream is there: false while it is being tried for again. */
  readonly onConnected: (connected: boolean) => void
  /** Another clock, for a test. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Reads an answer to its end, whatever happens to the stream: goes on behind the last event that came, and when that
 * can not be had, looks at the stored message until it is finished.
 * @param first the stream that is open already (of what was just sent), or an answer that somebody else asked for
 * @returns the finished answer; null when the stream broke before it said which answer it is
 * @throws ApiError when the answer is gone or the session is over; the signal's reason when it was aborted
 */
export async function followAnswer(following: Following, first: Events | Message): Promise<Message | null> {
  const state: State = { answer: null, lastEventId: null, tries: 0 }
  if (Symbol.asyncIterator in first) await read(following, state, first)
  else state.answer = first
  for (;;) {
    following.signal.throwIfAborted()
    if (state.answer === null) return null
    if (state.answer.status !== 'streaming') return state.answer
    if (state.tries > 0 || state.lastEventId !== null) following.onConnected(false)
    await again(following, state, state.answer)
  }
}

interface State {
  answer: Message | null
  lastEventId: string | null
  /** Since something came. */
  tries: number
}

async function again(following: Following, state: State, { id }: Message): Promise<void> {
  const { api, conversationId, signal, wait = pause } = following
  const params = { id: conversationId, messageId: id }
  if (state.tries >= BACK_OFF_MS.length) {
    await wait(LOOK_MS, signal)
    await look(following, state, id)
    return
  }
  const begun = state.tries > 0 || state.lastEventId !== null
  if (begun) await wait(BACK_OFF_MS[state.tries] ?? LOOK_MS, signal)
  state.tries++
  const { lastEventId } = state
  try {
    const events = await api.messageEvents({ params, signal, ...(lastEventId === null ? {} : { lastEventId }) })
    await read(following, state, events)
  } catch (error) {
    // No stream of it any more, but perhaps the message; whether that exists is said by the look at it.
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return look(following, state, id)
    rethrowUnlessPassing(error, signal)
  }
}

/** Events to the end of the stream. A stream that breaks is no failure here: it is what the next try is for. */
async function read(following: Following, state: State, events: Events): Promise<void> {
  const { signal, onQuestion, onAnswer, onConnected } = following
  try {
    for await (const { id, event } of events) {
      signal.throwIfAborted()
      state.tries = 0
      onConnected(true)
      if (event.type === 'message.started') {
        onQuestion(event.question)
        state.answer ??= beginningOf(event.conversationId, event.messageId, event.question)
      }
      if (state.answer === null) continue
      const next = afterEvent(state.answer, event)
      if (next === null) {
        await look(following, state, state.answer.id)
        // Counts as a try, so that a stream which always has a gap is not asked for without a pause.
        state.tries = 1
        return
      }
      state.answer = next
      state.lastEventId = id
      onAnswer(next)
    }
  } catch (error) {
    rethrowUnlessPassing(error, signal)
  }
}

/** The stored message is the truth; from there the stream is read anew, since nobody knows which event it stands at. */
async function look({ api, conversationId, signal, onAnswer }: Following, state: State, id: string): Promise<void> {
  try {
    const stored = await api.message({ params: { id: conversationId, messageId: id }, signal })
    state.answer = stored
    state.lastEventId = null
    onAnswer(stored)
  } catch (error) {
    rethrowUnlessPassing(error, signal)
  }
}

const PASSING = new Set(['SYSTEM_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL', 'DATA_LOCKED'])

function rethrowUnlessPassing(error: unknown, signal: AbortSignal): void {
  signal.throwIfAborted()
  if (!(error instanceof ApiError) || !PASSING.has(error.code)) throw error
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
