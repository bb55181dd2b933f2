import { AppError, type Failure } from '@oncall-agent/api-contracts'
import type { AnswerLanguage, ReadablePair } from '@oncall-agent/retrieval'
import type { Logger } from '../../observability/index.ts'
import { type AnswerEnding, type BusinessStore, unfinishedAnswer } from '../../store/index.ts'
import type { Answer, Answerer, PastMessage, Turn, TurnEvent } from '../answer/turn.ts'
import { untilAborted } from '../answer/until-aborted.ts'
import type { AnswerWriter } from './answer-writer.ts'
import type { RunningAnswer } from './running-answer.ts'

/** Earlier messages that a turn is given at most; what of them the model reads is the turn's to say. */
const HISTORY_MESSAGES = 40
/** What an aborted answer gets to come to its end; then it ends without the one who writes it. In milliseconds. */
const ABORT_LIMIT_MS = 5_000

export interface AnswerContext {
  readonly store: Pick<BusinessStore, 'messages' | 'answers'>
  readonly answerer: Answerer
  readonly writer: AnswerWriter
  readonly logger: Logger
  /** How long a call waits for a person. */
  readonly approvalMs: number
  /** Told of each answer that came to its end here. */
  readonly onAnswered?: ((answer: Pick<Answer, 'status' | 'mode' | 'failure'>) => void) | undefined
}

/** What the answer depends on besides the conversation. */
export interface Asked {
  readonly readable: readonly ReadablePair[]
  readonly language: AnswerLanguage
}

/** Writes one answer from its question to its stored end. Never rejects: how it went is the run's outcome. */
export async function writeAnswer(context: AnswerContext, run: RunningAnswer, asked: Asked): Promise<void> {
  const { writer, logger, onAnswered } = context
  const answer = await answerOf(context, run, asked)
  run.ending = endingOf(run, answer)
  try {
    const isKept = await writer.end(run)
    run.end(isKept ? { message: { ...run.message, ...run.ending, leaseUntil: null } } : { failure: gone(run) })
  } catch (err) {
    logger.error({ err, messageId: run.id }, 'an answer could not be stored')
    run.end({ failure: err instanceof AppError ? err : internal(err) })
  }
  onAnswered?.(answer)
}

async function answerOf(context: AnswerContext, run: RunningAnswer, asked: Asked): Promise<Answer> {
  try {
    const turn = await turnOf(context, run, asked)
    const answer = await untilGivenUp(
      context.answerer(turn, (event) => tell(context, run, event), run.signal),
      run
    )
    if (answer.status === 'completed' || !run.signal.aborted) return answer
    const reason = reasonOf(run.signal)
    // What is stored says who stopped it, in the answer's language where it says the same.
    return answer.failure?.code === reason.code ? answer : { ...answer, failure: reason }
  } catch (thrown) {
    if (!run.signal.aborted) context.logger.error({ err: thrown, messageId: run.id }, 'an answer failed')
    return unfinished(run, run.signal.aborted ? run.signal.reason : thrown)
  }
}

async function turnOf({ store, approvalMs, writer }: AnswerContext, run: RunningAnswer, asked: Asked): Promise<Turn> {
  const { conversationId, position, content } = run.question
  const before = await store.messages.before(conversationId, position, HISTORY_MESSAGES)
  return {
    conversationId,
    messageId: run.id,
    caller: { ...run.owner, readable: asked.readable },
    language: asked.language,
    question: content,
    history: before.filter((each) => each.content !== '').map((each): PastMessage => pastOf(each)),
    // A conversation has no gaps: its positions count its messages.
    older: Math.max(0, position - HISTORY_MESSAGES),
    decide: async (call, signal) => {
      // Other processes learn from the store that somebody is waited for.
      writer.soon(run)
      return (await run.decide(call, signal, approvalMs)) ?? silenceOf(store, run.id, call.callId)
    }
  }
}

/** Nobody spoke in time: a no, and stored as one, so that nobody can say anything afterwards; unless somebody just had. */
async function silenceOf({ answers }: AnswerContext['store'], messageId: string, callId: string): Promise<boolean> {
  if (await answers.decide(messageId, { callId, approved: false }, Date.now())) return false
  const said = (await answers.decisions([messageId])).get(messageId) ?? []
  return said.some((decision) => decision.callId === callId && decision.approved)
}

function pastOf({ role, content }: PastMessage): PastMessage {
  return { role, content }
}

function tell({ writer }: AnswerContext, run: RunningAnswer, event: TurnEvent): void {
  // It was given up: nothing may come behind its end.
  if (run.ending !== undefined) return
  run.tell(event)
  if (event.type === 'tool.waiting') writer.soon(run)
}

/** The answer; rejects when it was aborted and does not end within the limit. */
async function untilGivenUp(answer: Promise<Answer>, { signal }: RunningAnswer): Promise<Answer> {
  const over = new AbortController()
  let limit: NodeJS.Timeout | undefined
  const giveUp = () => {
    limit = setTimeout(() => over.abort(signal.reason), ABORT_LIMIT_MS)
  }
  signal.addEventListener('abort', giveUp)
  if (signal.aborted) giveUp()
  try {
    return await untilAborted(answer, over.signal)
  } finally {
    clearTimeout(limit)
    signal.removeEventListener('abort', giveUp)
  }
}

/** What was told until then, without a word of the one who wrote it. */
function unfinished(run: RunningAnswer, thrown: unknown): Answer {
  const { code, message } = thrown instanceof AppError ? thrown : internal(thrown)
  const failure = { code, message }
  const { mode } = run.message
  return { ...unfinishedAnswer(run.log.progress, { failure, failureOfCall: () => failure }), mode, removedMarkers: 0 }
}

function reasonOf({ reason }: AbortSignal): Failure {
  const { code, message } = reason instanceof AppError ? reason : internal(reason)
  return { code, message }
}

function endingOf(run: RunningAnswer, answer: Answer): AnswerEnding {
  return {
    ...answer,
    // Half a character can not be stored.
    content: answer.content.toWellFormed(),
    steps: run.log.progress.steps,
    finishedAt: Date.now()
  }
}

function gone({ id }: RunningAnswer): AppError {
  return new AppError('NOT_FOUND', { operation: 'store answer', subject: id })
}

function internal(cause: unknown): AppError {
  return new AppError('INTERNAL', { operation: 'write answer', cause })
}
