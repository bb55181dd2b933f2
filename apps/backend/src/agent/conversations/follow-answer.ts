import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@oncall-agent/api-contracts'
import type { Logger } from '../../observability/index.ts'
import type { AnswerProgress, BusinessStore, ConversationOwner, StoredMessage } from '../../store/index.ts'
import { endAbandoned } from './abandoned-answers.ts'
import { cursorOf, type EventCursor, eventIdOf } from './event-cursor.ts'
import { eventsAfter, type NumberedEvent } from './events-after.ts'
import { brokenEnd, lastEventOf } from './last-event.ts'
import type { Outcome, RunningAnswer } from './running-answer.ts'
import { toMessage } from './to-message.ts'

/** Events as they come, those of one moment together; whoever takes them slowly gets more at once, never less. */
export type AnswerFeed = AsyncIterable<readonly NumberedEvent[]>

export interface FollowContext {
  readonly store: Pick<BusinessStore, 'messages' | 'answerFeedback' | 'answers'>
  /** Of this process. */
  readonly running: ReadonlyMap<string, RunningAnswer>
  readonly logger: Logger
  /** Between two looks at an answer that another process writes, in milliseconds. */
  readonly pollMs: number
  /** Aborted when the process stops. */
  readonly closing: AbortSignal
}

export interface Followed {
  readonly owner: ConversationOwner
  readonly question: StoredMessage
  readonly answer: StoredMessage
  /** Id of the last event that was received; 0 for none. */
  readonly lastEventId: number
  /** Of the request that follows, for the error that may end it. */
  readonly requestId: string
  /** Aborted when nobody listens any more: the feed ends without a last event. */
  readonly signal: AbortSignal
}

/** How an answer stands, wherever it is written. */
interface Standing {
  readonly progress: AnswerProgress
  readonly outcome: Outcome | undefined
}

/** Looks at the store that may fail one after the other; each waits for the lock already. */
const POLLS_THAT_MAY_FAIL = 20

/** Locked or out of reach for now: that is nothing that happened to the answer. */
function isPassing(err: unknown): boolean {
  return err instanceof AppError && (err.code === 'DATA_LOCKED' || err.code === 'SYSTEM_UNAVAILABLE')
}

/** Tells an answer from behind an event to its end: first what is there, then what comes. A fault ends it as an error. */
export async function* followAnswer(
  context: FollowContext,
  followed: Followed
): AsyncGenerator<readonly NumberedEvent[]> {
  try {
    yield* tellAnswer(context, followed)
  } catch (err) {
    const { answer, requestId } = followed
    context.logger.error({ err, messageId: answer.id, requestId }, 'an answer could not be followed')
    const failure = err instanceof AppError ? err : new AppError('INTERNAL', { operation: 'follow answer', cause: err })
    yield [brokenEnd(answer.id, failure, requestId)]
  }
}

async function* tellAnswer(context: FollowContext, followed: Followed): AsyncGenerator<readonly NumberedEvent[]> {
  const { answer, signal } = followed
  let run = context.running.get(answer.id)
  let cursor: EventCursor | undefined
  let failures = 0
  for (;;) {
    run ??= context.running.get(answer.id)
    let standing: Standing
    try {
      standing = run === undefined ? await stored(context, followed) : standingOf(run)
    } catch (err) {
      if (!isPassing(err)) throw err
      failures += 1
      if (failures < POLLS_THAT_MAY_FAIL) await pause(context, signal)
      else
        context.logger.warn({ err, messageId: answer.id }, 'an answer could not be read on, its stream ends before it')
      // Without a last event: who reads along comes back for the rest.
      if (failures >= POLLS_THAT_MAY_FAIL || signal.aborted || context.closing.aborted) return
      continue
    }
    failures = 0
    const { progress, outcome } = standing
    const before = (cursor ??= cursorOf(followed.lastEventId, progress.content, progress.steps))
    const told = eventsAfter(answer.id, progress, { ...before, started: true })
    cursor = told.cursor
    const events = before.started ? told.events : [startOf(followed), ...told.events]
    if (outcome !== undefined) {
      yield [...events, await endOf(context, followed, outcome)]
      return
    }
    if (events.length > 0) yield events
    else await (run === undefined ? pause(context, signal) : run.changed(signal))
    // What this process writes comes to its end before the process does; what another one writes goes on without us.
    if (signal.aborted || (run === undefined && context.closing.aborted)) return
  }
}

function startOf({ question, answer }: Followed): NumberedEvent {
  const { id: messageId, conversationId } = answer
  const event = { type: 'message.started' as const, conversationId, messageId, question: toMessage(question) }
  return { id: eventIdOf({ started: true, text: 0, steps: 0 }), event }
}

function standingOf({ log, outcome }: RunningAnswer): Standing {
  return { progress: outcome !== undefined && 'message' in outcome ? outcome.message : log.progress, outcome }
}

/** Written elsewhere, ended, or left by a process that died: then it ends here. */
async function stored(context: FollowContext, { owner, answer }: Followed): Promise<Standing> {
  const { store, running } = context
  let message = await store.messages.own(owner, answer.id)
  if (message?.status === 'streaming' && (message.leaseUntil ?? 0) < Date.now()) {
    await endAbandoned({ ...context, alive: running })
    message = await store.messages.own(owner, answer.id)
  }
  if (message === undefined) return { progress: answer, outcome: { failure: deleted(answer.id) } }
  return { progress: message, outcome: message.status === 'streaming' ? undefined : { message } }
}

async function endOf({ store }: FollowContext, followed: Followed, outcome: Outcome): Promise<NumberedEvent> {
  const { owner, answer, requestId } = followed
  if ('failure' in outcome) return brokenEnd(answer.id, outcome.failure, requestId)
  const verdicts = await store.answerFeedback.of(owner.userId, [answer.id])
  return lastEventOf(outcome.message, verdicts.get(answer.id), requestId)
}

function deleted(subject: string): AppError {
  return new AppError('NOT_FOUND', { operation: 'follow answer', subject })
}

/** Until the next look, or until somebody goes: the loop looks at the signals. */
async function pause({ pollMs, closing }: FollowContext, signal: AbortSignal): Promise<void> {
  await delay(pollMs, undefined, { signal: AbortSignal.any([signal, closing]) }).catch(() => undefined)
}
