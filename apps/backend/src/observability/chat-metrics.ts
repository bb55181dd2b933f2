import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from './metrics.ts'

/** Bounds in seconds: from a server beside us to the longest silence of a model. */
const MODEL_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60, 120]

/** What the chat tells as it happens. */
export interface ChatMetrics {
  /** A stream of events began, or is over. */
  streamChanged(change: 1 | -1): void
  answered(status: string, mode: string): void
  toolCalled(status: string): void
  /** @param firstMs until the model said something; null when it said nothing */
  modelCalled(outcome: string, firstMs: number | null): void
}

/** Adds answers, their streams, tools and model to the measurements. */
export function addChatMetrics({ registry }: Metrics): ChatMetrics {
  const registers = [registry]
  const streams = new Gauge({ name: 'oncall_chat_streams_open', help: 'Streams of events that are open.', registers })
  const answers = new Counter({
    name: 'oncall_chat_answers_total',
    help: 'Answers that came to an end in this process.',
    labelNames: ['status', 'mode'],
    registers
  })
  const tools = new Counter({
    name: 'oncall_chat_tool_calls_total',
    help: 'Calls of tools in answers.',
    labelNames: ['status'],
    registers
  })
  const models = new Counter({
    name: 'oncall_chat_model_calls_total',
    help: 'Calls of the chat model.',
    labelNames: ['outcome'],
    registers
  })
  const firsts = new Histogram({
    name: 'oncall_chat_model_first_word_seconds',
    help: 'Until the chat model said something.',
    buckets: MODEL_SECONDS,
    registers
  })
  return {
    streamChanged: (change) => streams.inc(change),
    answered: (status, mode) => answers.inc({ status, mode }),
    toolCalled: (status) => tools.inc({ status }),
    modelCalled: (outcome, firstMs) => {
      models.inc({ outcome })
      if (firstMs !== null) firsts.observe(firstMs / 1_000)
    }
  }
}
