import type { Message, MessageEvent } from '@oncall-agent/api-contracts'
import type { MockAnswer, MockChat } from './mock-chat-state.ts'
import { type MockRequest, nextId } from './mock-request.ts'
import { answerOf, emptyAnswer, type Step } from './sample-chat.ts'
import { scriptFor } from './sample-script.ts'

/** An event on its way to the page. */
export interface MockEvent {
  readonly id: string
  readonly event: MessageEvent
}

/** Begins to write an answer, and writes it to its end whether somebody listens or not. */
export function startAnswer(request: MockRequest, messages: Message[], asked: Message): string {
  const { state } = request
  const id = nextId(state, 'msg')
  const answer: MockAnswer = { events: [], waiting: new Set(), decide: new Map(), stop: new AbortController() }
  state.chat.answers.set(id, answer)
  const script = scriptFor(asked.content, request)
  messages.push({ ...emptyAnswer(id, asked), mode: script.mode })
  void write(state.chat, { messages, answer, steps: script.steps, asked })
  return id
}

interface Writing {
  readonly messages: Message[]
  readonly answer: MockAnswer
  readonly steps: readonly Step[]
  readonly asked: Message
}

async function write(chat: MockChat, writing: Writing): Promise<void> {
  const { messages, answer, steps, asked } = writing
  const at = messages.length - 1
  const messageId = messages[at]!.id
  const say = (event: MessageEvent): void => {
    answer.events.push(event)
    for (const wake of answer.waiting) wake()
    answer.waiting.clear()
  }
  say({ type: 'message.started', conversationId: asked.conversationId, messageId, question: asked })
  for (const step of steps) {
    if (chat.pace > 0) await new Promise((done) => setTimeout(done, step.wait ?? chat.pace))
    if (answer.stop.signal.aborted) break
    const message = messages[at]!
    if (step.ask !== undefined) {
      messages[at] = answerOf(message, step)
      say({ type: 'tool.waiting', messageId, call: step.ask })
      const approved = await decision(answer, step.ask.callId)
      if (answer.stop.signal.aborted) break
      const call = { ...step.ask, status: approved ? ('ok' as const) : ('refused' as const), tookMs: 412 }
      messages[at] = answerOf(messages[at]!, { finish: call })
      say({ type: 'tool.finished', messageId, call })
      continue
    }
    messages[at] = answerOf(message, step)
    for (const event of eventsOf(step, message)) say(event)
  }
  settle(writing, at, say)
}

function settle({ messages, answer: { stop }, steps }: Writing, at: number, say: (event: MessageEvent) => void): void {
  const message = messages[at]
  if (message === undefined) return
  const fault = steps.find(({ fail }) => fail !== undefined)?.fail
  const failure = stop.signal.aborted ? { code: 'CANCELLED' as const, message: 'It was stopped.' } : (fault ?? null)
  const status = failure === null ? 'completed' : message.content === '' ? 'failed' : 'partial'
  const tools = message.tools.map((call) =>
    call.status === 'running' || call.status === 'waiting' ? { ...call, status: 'cancelled' as const } : call
  )
  const stored: Message = { ...message, tools, status, failure, finishedAt: Date.now() }
  messages[at] = stored
  if (fault === undefined || stop.signal.aborted) return say({ type: 'message.completed', message: stored })
  say({ type: 'error', messageId: stored.id, ...fault, requestId: 'req-000042', stored })
}

/** Waits for a person; being stopped is an answer too. */
function decision({ decide, stop }: MockAnswer, callId: string): Promise<boolean> {
  return new Promise((done) => {
    decide.set(callId, done)
    stop.signal.addEventListener('abort', () => done(false))
  })
}

function eventsOf(step: Step, { id: messageId, content }: Message): readonly MessageEvent[] {
  const { text, start, finish, source } = step
  return [
    ...(text === undefined ? [] : [{ type: 'message.delta' as const, messageId, offset: content.length, text }]),
    ...(start === undefined ? [] : [{ type: 'tool.started' as const, messageId, call: start }]),
    ...(finish === undefined ? [] : [{ type: 'tool.finished' as const, messageId, call: finish }]),
    ...(source === undefined ? [] : [{ type: 'reference.source' as const, messageId, source }])
  ]
}

/** The events behind the first `from`, as they come. A stream that is to break does so once, without a word. */
export async function* eventsFrom(chat: MockChat, messageId: string, from: number): AsyncGenerator<MockEvent> {
  const answer = chat.answers.get(messageId)!
  for (let at = from; ; at++) {
    while (at >= answer.events.length) await new Promise<void>((wake) => answer.waiting.add(wake))
    if (chat.breakAfter !== null && at - from >= chat.breakAfter) {
      chat.breakAfter = null
      return
    }
    const event = answer.events[at]!
    yield { id: String(at + 1), event }
    if (event.type === 'message.completed' || event.type === 'error') return
  }
}
