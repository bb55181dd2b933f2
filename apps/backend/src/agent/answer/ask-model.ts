import { setTimeout as pause } from 'node:timers/promises'
import type { BaseMessage } from '@langchain/core/messages'
import { backOff } from '../../models/index.ts'
import { AnswerCollector } from './answer-collector.ts'
import type { AnswererParts, ModelCallWatched } from './answerer-parts.ts'
import type { AskableModel, AskOptions } from './load-langchain.ts'
import { asModelFailure, ModelFailure } from './model-failure.ts'
import type { TurnDeadline } from './turn-deadline.ts'

export interface ModelQuestion {
  readonly model: AskableModel
  readonly messages: BaseMessage[]
  readonly tools: AskOptions['tools']
  readonly toolChoice: AskOptions['toolChoice']
  readonly outputTokens: number
  /** Of the turn. */
  readonly signal: AbortSignal
  /** Of the turn. */
  readonly deadline: Pick<TurnDeadline, 'leftMs'>
  readonly onText: (text: string) => void
}

/**
 * One step of the model, streamed. A busy server or a broken way is tried again as long as the model has said nothing:
 * afterwards a second answer would contradict the first.
 * @throws ModelFailure; the signal's reason
 */
export async function askModel(
  question: ModelQuestion,
  { settings, watch }: Pick<AnswererParts, 'settings' | 'watch'>
): Promise<AnswerCollector> {
  const { signal, deadline, outputTokens } = question
  const started = performance.now()
  let firstMs: number | null = null
  const onText = (text: string): void => {
    firstMs ??= performance.now() - started
    question.onText(text)
  }
  const told = (outcome: ModelCallWatched['outcome'], attempts: number): void =>
    watch.onModelCall({ outcome, tookMs: performance.now() - started, firstMs, attempts })
  for (let attempt = 1; ; attempt += 1) {
    const answer = new AnswerCollector(outputTokens, onText)
    try {
      await streamOnce(question, answer, settings.timeoutMs)
      told('ok', attempt)
      return answer
    } catch (thrown) {
      if (signal.aborted) {
        told('cancelled', attempt)
        throw signal.reason
      }
      // A fault of ours is none of the model's: it comes through as what it is.
      if (!(thrown instanceof ModelFailure)) {
        told('cancelled', attempt)
        throw thrown
      }
      const failure = thrown
      const wait = Math.max(failure.retryAfterMs, backOff(attempt, Math.random()))
      const again = failure.passing && !answer.spoke && attempt <= settings.retries
      if (!again || wait >= deadline.leftMs) {
        told(failure.isOutage ? 'failed' : 'refused', attempt)
        throw failure
      }
      await pause(wait, undefined, { signal })
    }
  }
}

async function streamOnce(
  { model, messages, tools, toolChoice, signal }: ModelQuestion,
  answer: AnswerCollector,
  silenceMs: number
): Promise<void> {
  const over = new AbortController()
  const silence = setTimeout(() => over.abort(new ModelFailure('silent')), silenceMs)
  const stop = AbortSignal.any([signal, over.signal])
  // What the library throws is the model's, or its server's; what we throw while we read is ours.
  let isOurs = false
  try {
    for await (const piece of model.ask(messages, { signal: stop, tools, toolChoice })) {
      silence.refresh()
      isOurs = true
      answer.read(piece)
      isOurs = false
    }
    isOurs = true
    // A stream that was aborted ends like one that is over.
    stop.throwIfAborted()
    answer.end()
    if (answer.finish === null) throw new ModelFailure('brokeOff', { passing: true })
  } catch (thrown) {
    if (stop.aborted) throw stop.reason
    throw isOurs ? thrown : asModelFailure(thrown)
  } finally {
    clearTimeout(silence)
    // Whatever of the request is left, its socket too, ends here.
    over.abort()
  }
}
