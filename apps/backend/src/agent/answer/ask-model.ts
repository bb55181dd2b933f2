import { setTimeout as pause } from 'node:timers/promises'
import type { BaseMessage } from '@langchain/core/messages'
import { backOff } from '../../models/index.ts'
import { AnswerCollector } from './answer-collector.ts'
import type { AnswererParts } from './answerer-parts.ts'
import type { AskableModel, AskOptions } from './load-langchain.ts'
import { asModelFailure, ModelFailure } from './model-failure.ts'

export interface ModelQuestion {
  readonly model: AskableModel
  readonly messages: BaseMessage[]
  readonly tools: AskOptions['tools']
  readonly toolChoice: AskOptions['toolChoice']
  readonly outputTokens: number
  /** Of the turn. */
  readonly signal: AbortSignal
  /** When the turn has to be over, by the process's clock. */
  readonly deadlineAt: number
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
  const { signal, deadlineAt, outputTokens } = question
  const started = performance.now()
  let firstMs: number | null = null
  const onText = (text: string): void => {
    firstMs ??= performance.now() - started
    question.onText(text)
  }
  const told = (outcome: 'ok' | 'failed' | 'cancelled', attempts: number): void =>
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
      const failure = asModelFailure(thrown)
      const wait = Math.max(failure.retryAfterMs, backOff(attempt, Math.random()))
      const again = failure.passing && !answer.spoke && attempt <= settings.retries
      if (!again || wait >= deadlineAt - performance.now()) {
        told('failed', attempt)
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
  try {
    for await (const piece of model.ask(messages, { signal: stop, tools, toolChoice })) {
      silence.refresh()
      answer.read(piece)
    }
    // A stream that was aborted ends like one that is over.
    stop.throwIfAborted()
    answer.end()
    if (answer.finish === null) throw new ModelFailure('brokeOff', { passing: true })
  } catch (thrown) {
    throw stop.aborted ? stop.reason : thrown
  } finally {
    clearTimeout(silence)
    // Whatever of the request is left, its socket too, ends here.
    over.abort()
  }
}
